"""Window functions, and GROUP BY over windows of time."""
