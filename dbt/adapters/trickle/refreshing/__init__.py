"""One refresh: decide, execute, stamp, report."""
