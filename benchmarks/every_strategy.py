"""The time of each strategy and the engine's price for it: the source of the default rates.

Run it as `python benchmarks/every_strategy.py --cells aggregate join --rows 2000000 --rounds 3`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.approaches import StreamTable
from benchmarks.cells import CELLS, Cell
from benchmarks.meter import Meter, Spent
from benchmarks.ratios import medians
from benchmarks.rounds import rotated
from benchmarks.sources import Sources
from benchmarks.workspace import Workspace, setting
from dbt.adapters.trickle.catalog.answers import Answers, answered
from dbt.adapters.trickle.history.delta_files.probe import size_for_prices
from dbt.adapters.trickle.names import storage_name
from dbt.adapters.trickle.refreshing.stamping import stamping
from dbt.adapters.trickle.storages.storage_state import read_state
from trickle import Facts, Options, RefreshMode, Target, compile_view, step_sql
from trickle.apply.price import Rates, Sizes
from trickle.apply.strategy import Prices, Strategy, StrategyInput
from trickle.delta.differentiate import SourceChange, differentiate
from trickle.delta.simplify import simplify
from trickle.plan.change import Change
from trickle.plan.instant import Clock, Instants
from trickle.planning.binding import binding_for
from trickle.planning.compile import output_schema
from trickle.sql.text import to_text

FULL = "full"
ALWAYS = Clock(Instants(0, 0, "UTC"), Instants(0, 0, "UTC"))
"""No cell reads the clock."""
FOR_GROUPS = ("merge_by_key", "replace_groups", "overwrite")
FOR_BAGS = ("append", "recount", "overwrite")


@dataclass(frozen=True)
class Measured:
    """One strategy on one round."""

    cell: str
    name: str
    price: float
    spent: Spent


class ByStrategy(StreamTable):
    """A stream table that always uses the given strategy, or FULL."""

    def __init__(self, workspace: Workspace, sources: Sources, cell: Cell, strategy: str) -> None:
        mode = FULL if strategy == FULL else "incremental"
        super().__init__(workspace, sources, cell, strategy, mode)
        self.cell, self.strategy = cell.name, strategy

    def apply(self, meter: Meter) -> Measured | None:
        """None if the strategy does not apply to this change. Only the statement is measured."""
        decision = self.decide()
        sql, price = step_sql(decision.plan.writes[0]), float("nan")
        if self.strategy != FULL:
            chosen = next((strategy for strategy in self._strategies() if strategy.name == self.strategy), None)
            if chosen is None:
                return None
            sql, price = to_text(chosen.build()), chosen.seconds
        with self.workspace.session.with_settings(stamping(decision.stamp)), meter.measure() as reading:
            self.workspace.rows(sql)
        return Measured(self.cell, self.strategy, price, reading.spent)

    def _strategies(self) -> Sequence[Strategy]:
        warehouse = self.workspace.describe_sources()
        output = output_schema(self.workspace.analyst.schema_of(self.sql))
        step = partial(compile_view, self.sql, options=Options(RefreshMode.INCREMENTAL))
        view, _ = answered(step, Answers(warehouse.resolve), Facts(output=output))
        storage = storage_name(self.identifier)
        log = self.workspace.log(storage)
        stamp = read_state(log).stamp
        assert stamp is not None
        probes = {source.name: warehouse.probe(source, stamp.frontier.position(source.name)) for source in view.sources}
        schema = str(self.workspace.credentials.schema)
        target = Target((schema, self.identifier), (schema, storage), size_for_prices(log).rows or 0, exists=True)
        changed = {name: SourceChange() for name, probe in probes.items() if probe.changes is not None}
        change = differentiate(view.maintained, changed)
        change = Change(change.before, change.after, simplify(change.delta))
        sizes = {name: Sizes(probe.size.rows, probe.volume.rows, probe.files) for name, probe in probes.items()}
        binding = binding_for(view, target, probes, ALWAYS)
        return view.layout.strategies(StrategyInput(change, target, binding, Prices(sizes, Rates())))


def measure(
    workspace: Workspace, cells: Sequence[Cell], sources: Sources, options: argparse.Namespace
) -> Iterator[Measured]:
    """Interleaved rounds over every strategy and FULL of every cell; the first round is a warm-up."""
    meter = Meter(workspace.java)
    sources.create(workspace)
    every = [_tables(workspace, sources, cell, options.strategies) for cell in cells]
    for number in range(1, options.rounds + 2):
        sources.change(workspace, number)
        for tables in every:
            for table in rotated(tables, number):
                measured = table.apply(meter)
                if measured is not None:
                    print(f"# {number} {measured}", file=sys.stderr, flush=True)
                if measured is not None and number > 1:
                    yield measured


def _tables(workspace: Workspace, sources: Sources, cell: Cell, names: Sequence[str]) -> list[ByStrategy]:
    """The tables of a cell, built at the sources' first version."""
    tables = [ByStrategy(workspace, sources, cell, name) for name in (FULL, *names) if name in _strategies_for(cell)]
    for table in tables:
        table.refresh()
    return tables


def _strategies_for(cell: Cell) -> tuple[str, ...]:
    return (FULL, *FOR_GROUPS) if "aggregate" in cell.name else (FULL, *FOR_BAGS)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000])
    parser.add_argument("--changed", type=float, default=0.01)
    parser.add_argument("--both-sides", action="store_true")
    parser.add_argument("--cells", nargs="+", default=[cell.name for cell in CELLS])
    parser.add_argument("--strategies", nargs="+", default=list(dict.fromkeys((*FOR_GROUPS, *FOR_BAGS))))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--set", type=setting, nargs="+", default=[], help="Spark settings to try out: key=value")
    parser.add_argument("--memory", default="2g")
    options = parser.parse_args(arguments)
    cells = [cell for cell in CELLS if cell.name in options.cells]
    with_returns = any(cell.reads_returns for cell in cells)
    with tempfile.TemporaryDirectory(prefix="trickle-strategies-") as folder:
        workspace = Workspace(Path(folder), options.memory, settings=dict(options.set))
        try:
            for rows in options.rows:
                sources = Sources(rows, options.changed, options.both_sides, with_returns)
                _print(rows, list(measure(workspace, cells, sources, options)))
        finally:
            workspace.close()
    return 0


def _print(rows: int, measurements: Sequence[Measured]) -> None:
    for cell, name in dict.fromkeys((item.cell, item.name) for item in measurements):
        selected = [item for item in measurements if (item.cell, item.name) == (cell, name)]
        spent = medians([item.spent for item in selected])
        figures = f"wall {spent.wall:6.2f} cpu {spent.cpu:6.2f} priced {selected[-1].price:6.2f}"
        print(f"{cell:<16}{rows:>9} {name:<16} {figures}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
