"""From the user's AST to operators. The only place that says what syntax has no incremental form."""
