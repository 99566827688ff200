"""The profile: its keys and what each may be."""
