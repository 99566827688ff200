"""The cost of planning: from a compiled view to its statements, in milliseconds of CPU, every source changed.

python benchmarks/planning.py [--queries DIR --schema FILE.json]

DIR has one query per file, FILE.json the columns of their tables, as for `dbt-trickle explain`.
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
from trickle.catalog.change_sources import FeedRange
from trickle.catalog.changed_rows import Changes
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
    """A grouped join of `joins` + 1 tables, each by a key of the previous one."""
    tables = {
        f"t{number}": (Column("id", "bigint"), Column("next", "bigint"), Column("x", "int"))
        for number in range(joins + 1)
    }
    parts = [f"JOIN t{number} ON t{number}.id = t{number - 1}.next" for number in range(1, joins + 1)]
    total = " + ".join(f"t{number}.x" for number in range(joins + 1))
    return f"SELECT t0.id, SUM({total}) AS total FROM t0 {' '.join(parts)} GROUP BY t0.id", tables


def planned(name: str, sql: str, tables: Mapping[str, Sequence[Column]]) -> Planned:
    """The least CPU of some rounds: noise only adds time."""

    def resolve(physical: tuple[str, ...]) -> Relation | None:
        columns = tables.get(physical[-1].lower())
        return Table(("s", physical[-1].lower()), tuple(columns)) if columns is not None else None

    step = partial(compile_view, sql, options=Options(refresh_mode=RefreshMode.INCREMENTAL))

    def compiled() -> CompiledView:
        parse_select.cache_clear()
        return answered(step, Answers(resolve))[0]

    view, compiling = least(compiled)
    before = {source.name: SourcePosition(source.name, 1, 1) for source in view.sources}
    probes = {
        source.name: Probe(
            source.name,
            SourcePosition(source.name, 2, 2),
            Changed(Changes(before[source.name], FeedRange(2, 2))),
            TableSize(rows=10**6),
            Volume(added=1000),
        )
        for source in view.sources
    }
    stamp = Stamp("m", 1, "FULL", "first_build", "create", view.definition, {}, Frontier(before), 1, "")
    target = Target(("s", "m"), ("s", "m__trickle"), rows=1000, bytes=1000, exists=True)
    plan, planning = least(lambda: plan_refresh(view, target, stamp, probes, Request("m", 2, {})))
    delta = change_to_apply(view.maintained, {source.name: SourceChange() for source in view.sources}).delta
    text = sum(len(step_sql(step)) for step in plan.steps)
    return Planned(name, compiling, planning, len(walk(view.plan)), len(walk(delta)), text)


def least(work: Callable[[], T]) -> tuple[T, float]:
    times: list[float] = []
    for _ in range(ROUNDS):
        started = time.process_time()
        result = work()
        times.append((time.process_time() - started) * 1000)
    return result, min(times)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=Path)
    parser.add_argument("--schema", type=Path)
    options = parser.parse_args(arguments)
    results = [planned(f"{joins} joins", *chain(joins)) for joins in JOINS]
    if options.queries:
        tables = read_schema(options.schema)
        results += [
            planned(file.stem, file.read_text("utf-8"), tables) for file in sorted(options.queries.glob("*.sql"))
        ]
    print(f"{'query':12} {'compile ms':>10} {'plan ms':>8} {'operators':>9} {'in delta':>8} {'SQL chars':>9}")
    for result in results:
        times = f"{result.compiling:10.1f} {result.planning:8.1f}"
        print(f"{result.name:12} {times} {result.operators:9} {result.in_delta:8} {result.characters:9}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
