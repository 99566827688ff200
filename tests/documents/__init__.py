"""The parts of the documents that the code writes: SQL of snapshots, the table of operators, the page of reasons."""
