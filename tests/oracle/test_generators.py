"""The generators reach what they must: changes of every kind, and any operator under any other."""

from __future__ import annotations

import itertools
from collections import Counter

from hypothesis import Phase, given, settings

from tests.oracle.generate_data import World, worlds
from tests.oracle.generate_plans import Example, examples
from trickle.operators import Aggregate, Distinct, Filter, Join, Project, Scan, UnionAll
from trickle.plan.op import walk

INNER = (Aggregate, Distinct, Filter, Join, Project, UnionAll)
MANY = settings(max_examples=4000, phases=[Phase.generate], derandomize=True, database=None)


def test_any_operator_occurs_under_any_other() -> None:
    """Also a join over a grouping over a union, a distinct over a distinct, and a table joined to itself."""
    seen: Counter[tuple[str, str]] = Counter()
    twice = shared = 0

    @MANY
    @given(examples())
    def draw(example: Example) -> None:
        nonlocal twice, shared
        ops = walk(example.plan)
        readers = Counter(id(child) for op in ops for child in op.children)
        sources = Counter(op.source for op in ops if isinstance(op, Scan))
        twice += max(sources.values(), default=0) > 1
        shared += any(readers[id(op)] > 1 and op.children for op in ops)
        seen.update((type(op).__name__, type(child).__name__) for op in ops for child in op.children)

    draw()

    names = [one.__name__ for one in INNER]
    assert not [pair for pair in itertools.product(names, names) if not seen[pair]]
    assert twice > 50
    assert shared > 50


def test_tables_change_in_every_way() -> None:
    """NULL keys, duplicates, empty tables, unchanged ones, rows that came and went, tables that vanish."""
    seen: Counter[str] = Counter()

    @MANY
    @given(worlds())
    def draw(world: World) -> None:
        for one in world.tables:
            seen["null key"] += any(row[0] is None for row in one.before)
            seen["duplicates"] += len(set(one.before)) < len(one.before)
            seen["empty before"] += not one.before
            seen["vanishes"] += bool(one.before) and not one.after
            seen["unchanged"] += not one.changed
            seen["changed back"] += one.changed and not len(one.difference)
            seen["went and came"] += bool(one.churn)
            seen["only inserts"] += one.only_inserts and len(one.difference) > 0
            seen["update"] += any(w > 0 for _, w in one.difference) and any(w < 0 for _, w in one.difference)

    draw()

    assert all(count > 20 for count in seen.values()), seen
