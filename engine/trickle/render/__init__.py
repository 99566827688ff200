"""From a plan to a query: operators share a SELECT where possible, and are CTEs in reading order elsewhere."""
