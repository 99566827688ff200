"""Status, history and graph of the stream tables, read from Delta logs alone, without Spark."""
