"""What has no incremental form, and what Spark would refuse."""
