"""From a query's text to a refresh: compile it, judge what its sources did, plan the statements."""
