"""How many examples a law is tried on. `TRICKLE_LAWS=20000` asks for a longer search than the everyday one."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

EXAMPLES = int(os.environ.get("TRICKLE_LAWS", "2000"))
ON_DUCKDB = 10
"""One example on DuckDB takes as long as so many on the interpreter."""

Test = Callable[..., None]


def for_all(examples: SearchStrategy[Any], cost: int = 1) -> Callable[[Test], Test]:
    """The law holds for every example drawn; a costly law is tried on fewer."""

    def decorate(test: Test) -> Test:
        return settings(max_examples=max(1, EXAMPLES // cost))(given(examples)(test))

    return decorate
