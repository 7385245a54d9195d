"""What runs in the process that holds the Spark session."""
