"""Mutants that are no mistakes: the rules mean the same with them. Few, each with its reason."""

from __future__ import annotations

from tests.mutants.mutate import Mutant

UNMATCHED = "unmatched = SemiJoin(right.after, left.after, self.condition, anti=True)"

EQUAL: dict[tuple[str, str, str], str] = {
    ("operators/outer_join.py", UNMATCHED, one): "only the rule of this semi-join is asked: it takes the changes' sides"
    for one in ("left.after: before", "right.after: before")
}
"""File, line and change → why nothing can tell the difference."""


def is_equal(file: str, mutant: Mutant) -> bool:
    return (file, mutant.said, mutant.what) in EQUAL
