# SPDX-License-Identifier: Apache-2.0
"""What runs in the tasks of a Spark job: it uses Arrow batches and the C++ core, and never the session."""
