"""What the engine knows of Spark 4.2's built-in functions: one record each, in files by family.

To add a function, or a fact about one, change its line in the file of its family.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from trickle.errors import InternalError
from trickle.functions.aggregates import AGGREGATES
from trickle.functions.collections import COLLECTIONS
from trickle.functions.conditions import CONDITIONS
from trickle.functions.dates import DATES
from trickle.functions.documents import DOCUMENTS
from trickle.functions.generators import GENERATORS
from trickle.functions.hidden_inputs import HIDDEN_INPUTS
from trickle.functions.numbers import NUMBERS
from trickle.functions.record import (
    Determinism,
    Function,
    OverNoRows,
    Role,
    Rule,
    Ties,
    WithinGroup,
)
from trickle.functions.sketch_aggregates import SKETCH_AGGREGATES
from trickle.functions.sketches import SKETCHES
from trickle.functions.texts import TEXTS
from trickle.functions.windows import WINDOWS

__all__ = [
    "FUNCTIONS",
    "Determinism",
    "Function",
    "OverNoRows",
    "Role",
    "Rule",
    "Ties",
    "WithinGroup",
    "facts_of",
    "names_of",
]


def _by_name(functions: Iterable[Function]) -> Mapping[str, Function]:
    by_name: dict[str, Function] = {}
    for function in functions:
        if function.name in by_name:
            raise InternalError(f"two records of functions are called {function.name}")
        by_name[function.name] = function
    return by_name


FUNCTIONS = _by_name(
    chain(
        AGGREGATES,
        SKETCH_AGGREGATES,
        WINDOWS,
        GENERATORS,
        HIDDEN_INPUTS,
        CONDITIONS,
        NUMBERS,
        TEXTS,
        DATES,
        COLLECTIONS,
        DOCUMENTS,
        SKETCHES,
    )
)
"""By name, in lower case. A synonym has a record of its own."""

_NOT_BUILT_IN = Function(role=Role.NOT_BUILT_IN, determinism=Determinism.UNKNOWN)


def facts_of(name: str) -> Function:
    """The record of a function by its name in lower case; for a user's function one that knows nothing."""
    return FUNCTIONS.get(name, _NOT_BUILT_IN)


def names_of(which: Callable[[Function], bool]) -> frozenset[str]:
    """The names of the functions of which this is true."""
    return frozenset(function.name for function in FUNCTIONS.values() if which(function))
