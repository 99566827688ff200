"""Where Spark runs: one method of connection a package."""
