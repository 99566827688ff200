"""How a delta reaches the storage table: one strategy a file, each a complete statement with its price."""
