"""The adapter's methods that macros call. Each `@available` method is a public promise."""
