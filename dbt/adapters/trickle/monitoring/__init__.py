"""What users can see of their stream tables, from Delta logs alone: status, history, the graph. No Spark."""
