"""Whether a stream table shows its query's rows: EXCEPT ALL both ways, with a tolerance where numbers are floating."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from benchmarks.tpch_project import model, query_of
from benchmarks.workspace import SCHEMA, Workspace

Row = tuple[Any, ...]
EXPECTED = "expected_rows"
RELATIVE, ABSOLUTE = 1e-9, 1e-9
"""How far floating numbers may be apart: the order in which they are added is Spark's."""


def check(workspace: Workspace, query: str, text: str, variants: Sequence[str]) -> dict[str, list[str]]:
    """Variant → the first rows that differ, none if it is exact. The query is computed once for all of them."""
    workspace.session.compute(EXPECTED, query_of(text))
    try:
        return {variant: _differences(workspace, f"{SCHEMA}.{model(query, variant)}") for variant in variants}
    finally:
        workspace.session.forget(EXPECTED)


def _differences(workspace: Workspace, table: str) -> list[str]:
    missing = workspace.rows(f"select * from {EXPECTED} except all select * from {table}")
    extra = workspace.rows(f"select * from {table} except all select * from {EXPECTED}")
    return differing(missing, extra)


def differing(missing: Sequence[Row], extra: Sequence[Row], shown: int = 3) -> list[str]:
    """The first missing (-) and extra (+) rows, unless each missing row is an extra one but for rounding."""
    pairs = zip(sorted(missing, key=_order), sorted(extra, key=_order))
    if len(missing) == len(extra) and all(_close(left, right) for left, right in pairs):
        return []
    return [*(f"- {row}" for row in missing[:shown]), *(f"+ {row}" for row in extra[:shown])]


def _order(row: Row) -> tuple[Any, ...]:
    """By the exact values first, so that rows which differ in a rounded one only come to the same place."""
    exact = [str(value) for value in row if not isinstance(value, float)]
    return (exact, [value for value in row if isinstance(value, float)])


def _close(left: Row, right: Row) -> bool:
    return len(left) == len(right) and all(map(_same, left, right))


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        both_nan = math.isnan(left) and math.isnan(right)
        return both_nan or math.isclose(left, right, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return bool(left == right)
