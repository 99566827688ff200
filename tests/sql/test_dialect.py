"""The dialect that reads and prints the user's SQL."""

from __future__ import annotations

import subprocess
import sys


def test_a_compiled_parser_is_named_before_it_fails() -> None:
    """sqlglotc's classes cannot be extended; what Python says of that helps nobody."""
    script = "from sqlglot.parsers.spark import SparkParser as p; p.__init__ = object.__init__; import trickle"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert ran.returncode == 1
    assert "pip uninstall sqlglotc" in ran.stderr.splitlines()[-1]
