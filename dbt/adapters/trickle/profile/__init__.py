"""The profile: its keys and the values each allows."""
