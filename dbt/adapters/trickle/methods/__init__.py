"""What macros may ask of the adapter. Each method is a public promise."""
