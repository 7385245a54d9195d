# SPDX-License-Identifier: Apache-2.0
"""What runs in the tasks of a Spark job: it knows no session, only batches of Arrow's and the C++ core."""
