"""The only place that parses SQL text, prints it, or knows how sqlglot wants to be called."""
