"""What a stream table stores, so that its change can be applied: one layout a file."""
