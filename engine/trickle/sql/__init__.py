"""The only package that parses SQL text, prints it, or depends on how sqlglot is called."""
