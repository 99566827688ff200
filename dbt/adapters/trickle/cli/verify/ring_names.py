"""What the rings are called on the command line and in case files."""

from __future__ import annotations

DUCKDB = "duckdb"
RINGS = (DUCKDB, "spark")
CONNECT = "sc://"
"""How the address of a Spark Connect server begins, which is a ring as well."""
