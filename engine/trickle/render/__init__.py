"""From a plan to a query: SELECTs fused where they can be, named as CTEs in reading order where they cannot."""
