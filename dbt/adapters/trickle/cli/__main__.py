"""`python -m dbt.adapters.trickle.cli` is `dbt-trickle`."""

import sys

from dbt.adapters.trickle.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
