"""How long refreshes take, against recomputing and against a hand-written MERGE. Never part of `make test`."""
