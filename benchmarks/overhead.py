"""The calls of dbt and the adapter to Spark besides the refreshing statements, for a project of a few small models.

Run it as `python benchmarks/overhead.py --models 5`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dbt.cli.main import dbtRunner

from benchmarks.project import write_project
from benchmarks.sources import Sources
from benchmarks.workspace import SCHEMA, Workspace
from dbt.adapters.trickle.warehouses.embedded.cursor import EmbeddedCursor
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession

WATCHED = (
    (EmbeddedSession, "submit"),
    (EmbeddedSession, "columns"),
    (EmbeddedCursor, "_collect"),
    (EmbeddedCursor, "finish"),
)
LABEL_LENGTH = 60
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass
class Ledger:
    """Every call to Spark of one dbt run."""

    calls: list[tuple[str, str, float]] = field(default_factory=list)

    def watched(self, name: str, inner: Callable[..., Any]) -> Callable[..., Any]:
        def call(this: Any, *arguments: Any) -> Any:
            started = time.monotonic()
            try:
                return inner(this, *arguments)
            finally:
                text = arguments[0] if arguments and isinstance(arguments[0], str) else ""
                self.calls.append((name, label(text), time.monotonic() - started))

        return call


def label(sql: str) -> str:
    """The first characters of a statement without its comment, with one name for all models."""
    words = " ".join(_COMMENT.sub(" ", sql).split()).lower()
    return re.sub(r"small_\d+", "small_n", words)[:LABEL_LENGTH]


@contextmanager
def watching() -> Iterator[Ledger]:
    ledger = Ledger()
    patches = [patch.object(kind, name, ledger.watched(name, getattr(kind, name))) for kind, name in WATCHED]
    for one in patches:
        one.start()
    try:
        yield ledger
    finally:
        for one in patches:
            one.stop()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=5)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--memory", default="2g")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="trickle-overhead-") as folder:
        home = Path(folder)
        sources = Sources(options.rows, with_returns=False)
        workspace = Workspace(home, options.memory)
        sources.create(workspace)
        models = {
            f"small_{threshold}": f"select customer, count(*) as orders, sum(amount) as amount "
            f"from {sources.orders} where quantity >= {threshold} group by customer"
            for threshold in range(options.models)
        }
        project = write_project(home / "project", SCHEMA, home / "warehouse", options.memory, models)
        for number, run in enumerate(("first build", "warm-up", "incremental", "no data")):
            if run in ("warm-up", "incremental"):
                sources.change(workspace, number)
            _report(run, project)
        workspace.close()
    return 0


def _report(run: str, project: Path) -> None:
    started = time.monotonic()
    with watching() as ledger:
        result = dbtRunner().invoke(
            ["--quiet", "run", "--threads", "1", "--project-dir", str(project), "--profiles-dir", str(project)]
        )
    wall = time.monotonic() - started
    if not result.success:
        raise SystemExit(f"{run}: {result.exception or [one.message for one in result.result]}")  # type: ignore[union-attr]
    inside = sum(seconds for _, _, seconds in ledger.calls)
    print(f"\n{run}: {wall:.1f} s, of which Spark {inside:.1f} s in {len(ledger.calls)} calls")
    totals: dict[tuple[str, str], list[float]] = {}
    for name, text, seconds in ledger.calls:
        totals.setdefault((name, text), []).append(seconds)
    for (name, text), spent in sorted(totals.items(), key=lambda item: -sum(item[1])):
        print(f"  {sum(spent):6.2f} s  {len(spent):3} ×  {name:<15} {text}")
    outcomes = [one.adapter_response for one in result.result]  # type: ignore[union-attr]
    statements = [
        (one.get("kind"), round(one.get("seconds", 0), 2))
        for outcome in outcomes
        for one in outcome.get("statements", ())
    ]
    print(f"  own statements: {json.dumps(statements)}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
