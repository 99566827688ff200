"""The demo's shop: its days as SQL, dbt's commands, and the tables on the console."""
