"""`python -m trickle` is `dbt-trickle`."""

from __future__ import annotations

import sys

from trickle.cli import main

if __name__ == "__main__":
    sys.exit(main())
