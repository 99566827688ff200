"""One round of TPC-H: the change, a `dbt run` for every variant, and the comparison of rows that is not measured."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.journal import BUILD, Journal, Round, of_kind
from benchmarks.meter import Meter
from benchmarks.rounds import rotated
from benchmarks.tpch_check import check
from benchmarks.tpch_project import PLAIN, model, query_and_variant, write_tpch
from benchmarks.tpch_regimes import Change
from benchmarks.tpch_tables import SCHEMA, TABLES, create_statements, generate
from benchmarks.warm_dbt import WarmDbt
from benchmarks.workspace import Workspace
from dbt.adapters.trickle.warehouses.embedded import spark as embedded


@dataclass(frozen=True)
class Settings:
    """What results of one folder have in common."""

    scale: str
    clustered: bool
    memory: str
    cores: int | None
    queries: list[str]
    variants: list[str]


@dataclass(frozen=True)
class Bench:
    """A warehouse with TPC-H's tables, and the project over them."""

    settings: Settings
    queries: Mapping[str, str]
    journal: Journal
    workspace: Workspace
    dbt: WarmDbt

    def refresh(self, one: Round) -> frozenset[str]:
        """The models that failed. If Java ends, so does the measurement, and the round has no end."""
        began = time.monotonic()
        self.journal.write("round", **asdict(one))
        for statement in statements(one, self.settings.scale):
            self.workspace.rows(statement)
        changed, failed = time.monotonic() - began, {}
        for variant in rotated(self.settings.variants, one.number):
            started = time.monotonic()
            for node in self.dbt.run(f"tag:{variant}"):
                query, _ = query_and_variant(node.name)
                self.journal.write("node", round=one.number, query=query, variant=variant, **asdict(node))
                if node.status != "success":
                    failed[node.name] = node.message
            if embedded.has_ended():
                raise SystemExit("Java ended; run the same command again to go on, perhaps with more --memory.")
            show(f"  {variant}: {time.monotonic() - started:.1f} s")
        seconds = time.monotonic() - began
        self.journal.write("end", round=one.number, seconds=seconds, change=changed, load=os.getloadavg()[0])
        for name, message in failed.items():
            show(f"  FAILED {name}: {' '.join(message.split())[:300]}")
        return frozenset(failed)

    def check(self, one: Round, failed: frozenset[str]) -> bool:
        """Whether every stream table shows the rows of its query, but for those that were not refreshed."""
        streams = [variant for variant in self.settings.variants if variant != PLAIN]
        wrong, compared = [], 0
        for query, text in self.queries.items():
            variants = [variant for variant in streams if model(query, variant) not in failed]
            compared += len(variants)
            for variant, rows in check(self.workspace, query, text, variants).items():
                self.journal.write("check", round=one.number, query=query, variant=variant, differences=rows)
                wrong += [f"{query} {variant}: {'; '.join(rows)}"] if rows else []
        for line in wrong:
            show(f"  DIFFERS {line[:300]}")
        show(f"  {compared} tables compared with their queries, {len(wrong)} differ")
        return not wrong


def open_bench(
    work: Path, workspace: Workspace, settings: Settings, queries: Mapping[str, str], journal: Journal
) -> Bench:
    """Load the tables unless they are there, and write the project."""
    if not of_kind(journal.records, "loaded"):
        _load(work / "parquet", workspace, settings)
        journal.write("loaded")
    warehouse = work / "warehouse"
    project = write_tpch(work / "project", warehouse, settings.memory, settings.cores, queries, settings.variants)
    return Bench(settings, queries, journal, workspace, WarmDbt(project, Meter(workspace.java), _show_node))


def statements(one: Round, scale: str) -> tuple[str, ...]:
    """What the round does to the tables."""
    if one.regime == BUILD:
        return ()
    return Change(one.regime, one.percent, float(scale), one.number).statements()


def show(line: str) -> None:
    """Progress, beside the results on standard output."""
    print(f"{_CLEAR}{line}", file=sys.stderr, flush=True)


_CLEAR = "\r\033[K" if sys.stderr.isatty() else ""


def _show_node(name: str) -> None:
    """The last finished model, on a terminal only: the next line is written over it."""
    if _CLEAR:
        print(f"{_CLEAR}  {name}", end="", file=sys.stderr, flush=True)


def _load(parquet: Path, workspace: Workspace, settings: Settings) -> None:
    show(f"generating scale factor {settings.scale}")
    generate(parquet, settings.scale)
    workspace.rows(f"create schema if not exists {SCHEMA}")
    for table, statement in zip(TABLES, create_statements(parquet, settings.clustered)):
        show(f"loading {table}")
        workspace.rows(statement)
