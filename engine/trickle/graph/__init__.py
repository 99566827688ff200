"""What follows from the graph of models: calculated schedules, tables due together, agreeing versions, and cycles."""
