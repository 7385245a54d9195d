# SPDX-License-Identifier: Apache-2.0
"""What runs in the process that holds the Spark session."""
