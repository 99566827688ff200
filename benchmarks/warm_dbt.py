"""dbt in this process, again and again: Spark starts once, the project is parsed once, and every node is metered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dbt.cli.main import dbtRunner, dbtRunnerResult
from dbt.contracts.graph.manifest import Manifest

from benchmarks.meter import Meter

QUIET = ("--log-level", "none", "--log-level-file", "none", "--no-print", "--quiet", "--no-use-colors")


@dataclass(frozen=True)
class Node:
    """A model that dbt ran. `wall` is dbt's own execution_time; `response` is what the adapter reported."""

    name: str
    status: str
    wall: float
    cpu: float
    message: str
    response: dict[str, Any]


@dataclass
class Listener:
    """Reads the meter when a node starts and when it is finished; one node runs at a time."""

    meter: Meter
    on_node: Callable[[str], None]
    used: dict[str, float] = field(default_factory=dict)
    _began: float = 0.0

    def __call__(self, event: Any) -> None:
        match event.info.name:
            case "NodeStart":
                self._began = self.meter.cpu()
            case "NodeFinished":
                name = event.data.node_info.node_name
                self.used[name] = self.meter.cpu() - self._began
                self.on_node(name)
            case _:
                pass


class WarmDbt:
    """A project with its Spark."""

    def __init__(self, project: Path, meter: Meter, on_node: Callable[[str], None]) -> None:
        self._project = project
        self._meter = meter
        self._on_node = on_node
        parsed = self._invoke(None, "parse").result
        assert isinstance(parsed, Manifest)
        self._manifest = parsed

    def run(self, select: str) -> list[Node]:
        """`dbt run` of the selected models, in the order in which they ran. A failed node is a result like others."""
        listener = Listener(self._meter, self._on_node)
        outcome = self._invoke(listener, "run", "--select", select)
        results = getattr(outcome.result, "results", None)
        if results is None:
            raise SystemExit(f"dbt run --select {select} did not begin.")
        return [
            Node(
                name=result.node.name,
                status=str(result.status),
                wall=result.execution_time,
                cpu=listener.used[result.node.name],
                message=str(result.message),
                response=dict(result.adapter_response),
            )
            for result in results
        ]

    def _invoke(self, listener: Listener | None, *words: str) -> dbtRunnerResult:
        folder = str(self._project)
        runner = dbtRunner(manifest=getattr(self, "_manifest", None), callbacks=[listener] if listener else [])
        outcome = runner.invoke([*QUIET, *words, "--project-dir", folder, "--profiles-dir", folder])
        if outcome.exception is not None:
            raise SystemExit(f"dbt {words[0]}: {outcome.exception}")
        return outcome
