"""The embedded warehouse: a private Spark with Delta Lake, its files, and the sessions dbt uses."""
