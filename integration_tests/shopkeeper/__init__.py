"""What runs the shop in the demo: its days as SQL, dbt's commands, and the tables on the console."""
