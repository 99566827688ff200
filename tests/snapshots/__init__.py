"""The SQL the engine writes, kept as files and read as prose: every operator × what changed, every way to apply."""
