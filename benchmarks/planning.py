"""What planning costs: from a compiled view to its statements, in milliseconds of CPU, every source changed.

python benchmarks/planning.py [--queries DIR --schema FILE.json]

DIR holds one query a file, FILE.json the columns of their tables, as for `dbt-trickle explain`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dbt.adapters.trickle.catalog.answers import Answers, answered
from dbt.adapters.trickle.cli.schema_file import read_schema
from trickle import (
    Column,
    CompiledView,
    Frontier,
    Options,
    Probe,
    RefreshMode,
    Relation,
    Request,
    SourcePosition,
    Stamp,
    Table,
    Target,
    compile_view,
    plan_refresh,
    step_sql,
)
from trickle.catalog.changed_rows import Changes, FeedRange
from trickle.catalog.happened import Changed
from trickle.catalog.probe import TableSize, Volume
from trickle.delta.differentiate import SourceChange
from trickle.delta.passes import change_to_apply
from trickle.plan.op import walk
from trickle.sql.parse import parse_select

T = TypeVar("T")
ROUNDS = 5
JOINS = (3, 6, 12, 24)


@dataclass(frozen=True)
class Planned:
    """One query: milliseconds to compile and to plan, operators before and after, characters of SQL."""

    name: str
    compiling: float
    planning: float
    operators: int
    in_delta: int
    characters: int


def chain(joins: int) -> tuple[str, dict[str, tuple[Column, ...]]]:
    """A grouped join of `joins` + 1 tables, each by a key of the one before."""
    tables = {
        f"t{place}": (Column("id", "bigint"), Column("next", "bigint"), Column("x", "int"))
        for place in range(joins + 1)
    }
    parts = [f"JOIN t{place} ON t{place}.id = t{place - 1}.next" for place in range(1, joins + 1)]
    total = " + ".join(f"t{place}.x" for place in range(joins + 1))
    return f"SELECT t0.id, SUM({total}) AS total FROM t0 {' '.join(parts)} GROUP BY t0.id", tables


def planned(name: str, sql: str, tables: Mapping[str, Sequence[Column]]) -> Planned:
    """The least CPU of some rounds: a noisy machine only ever adds."""

    def resolve(physical: tuple[str, ...]) -> Relation | None:
        columns = tables.get(physical[-1].lower())
        return Table(("s", physical[-1].lower()), tuple(columns)) if columns is not None else None

    step = partial(compile_view, sql, options=Options(refresh_mode=RefreshMode.INCREMENTAL))

    def compiled() -> CompiledView:
        parse_select.cache_clear()
        return answered(step, Answers(resolve))[0]

    view, compiling = least(compiled)
    before = {one.name: SourcePosition(one.name, 1, 1) for one in view.sources}
    probes = {
        one.name: Probe(
            one.name,
            SourcePosition(one.name, 2, 2),
            Changed(Changes(before[one.name], FeedRange(2, 2))),
            TableSize(rows=10**6),
            Volume(added=1000),
        )
        for one in view.sources
    }
    stamp = Stamp("m", 1, "FULL", "first_build", "create", view.definition, {}, Frontier(before), 1, "")
    target = Target(("s", "m"), ("s", "m__trickle"), rows=1000, bytes=1000, exists=True)
    plan, planning = least(lambda: plan_refresh(view, target, stamp, probes, Request("m", 2, {})))
    delta = change_to_apply(view.maintained, {one.name: SourceChange() for one in view.sources}).delta
    text = sum(len(step_sql(one)) for one in plan.steps)
    return Planned(name, compiling, planning, len(walk(view.plan)), len(walk(delta)), text)


def least(work: Callable[[], T]) -> tuple[T, float]:
    found: list[float] = []
    for _ in range(ROUNDS):
        started = time.process_time()
        result = work()
        found.append((time.process_time() - started) * 1000)
    return result, min(found)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=Path)
    parser.add_argument("--schema", type=Path)
    asked = parser.parse_args(arguments)
    found = [planned(f"{joins} joins", *chain(joins)) for joins in JOINS]
    if asked.queries:
        tables = read_schema(asked.schema)
        found += [planned(file.stem, file.read_text("utf-8"), tables) for file in sorted(asked.queries.glob("*.sql"))]
    print(f"{'query':12} {'compile ms':>10} {'plan ms':>8} {'operators':>9} {'in delta':>8} {'SQL chars':>9}")
    for one in found:
        times = f"{one.compiling:10.1f} {one.planning:8.1f}"
        print(f"{one.name:12} {times} {one.operators:9} {one.in_delta:8} {one.characters:9}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
