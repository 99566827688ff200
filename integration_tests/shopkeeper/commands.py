"""dbt's commands in this process, so that Spark starts once. dbt's output is replaced by that of the caller."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbt.cli.main import dbtRunner, dbtRunnerResult
from dbt.contracts.graph.manifest import Manifest
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]

from shopkeeper.days import Statement

Node = dict[str, Any]
"""A finished node as dbt reports it: name, materialization, status, message and the adapter's response."""


class Failed(Exception):
    """A dbt command failed; the message is one sentence a user can act on."""


@dataclass
class Listener:
    """Receives dbt's events and passes on those that the demo shows."""

    on_title: Callable[[str], None] = lambda _: None
    on_node: Callable[[Node], None] = lambda _: None
    first_error: str = ""
    """The first error of dbt's log; a failed run-operation reports its error only there."""

    def __call__(self, event: Any) -> None:
        name = event.info.name
        if event.info.level == "error" and not self.first_error:
            self.first_error = event.info.msg
        if name == "JinjaLogInfo":
            self.on_title(event.data.msg)
        elif name == "AdapterEventInfo":
            self.on_title(event.info.msg.removeprefix(f"{event.data.name} adapter: "))
        elif name == "NodeFinished":
            self.on_node(_node(event.data))


class Project:
    """The dbt project, parsed once and run as often as asked."""

    def __init__(self, folder: Path) -> None:
        self._listener = Listener()
        self._folder = folder
        self._manifest: Manifest | None = None

    def parse(self) -> Manifest:
        """The parsed project; starts no Spark."""
        if self._manifest is None:
            parsed = self._invoke("parse").result
            assert isinstance(parsed, Manifest)
            self._manifest = parsed
        return self._manifest

    def run_statements(self, statements: Sequence[Statement], on_title: Callable[[str], None]) -> None:
        """Run SQL on dbt's own connection, one statement after the other; `on_title` also gets messages about a wait for Spark."""
        arguments = {"statements": [{"title": statement.title, "sql": statement.sql} for statement in statements]}
        self._listener.on_title = on_title
        try:
            self._invoke("run-operation", "run_statements", "--args", json.dumps(arguments))
        finally:
            self._listener.on_title = lambda _: None

    def run(self, on_node: Callable[[Node], None]) -> None:
        """`dbt run`; `on_node` is called for each finished model."""
        self._listen("run", on_node)

    def test(self, on_node: Callable[[Node], None]) -> None:
        """`dbt test`; `on_node` is called for each finished test."""
        self._listen("test", on_node)

    def _listen(self, command: str, on_node: Callable[[Node], None]) -> None:
        self._listener.on_node = on_node
        try:
            self._invoke(command)
        finally:
            self._listener.on_node = lambda _: None

    def _invoke(self, *words: str) -> dbtRunnerResult:
        self._listener.first_error = ""
        runner = dbtRunner(manifest=self._manifest, callbacks=[self._listener])
        folder = str(self._folder)
        quiet = ("--log-level", "none", "--log-level-file", "debug", "--no-use-colors", "--no-print")
        folders = ("--project-dir", folder, "--profiles-dir", folder)
        outcome = runner.invoke([*quiet, *words, *folders])
        if outcome.exception is not None:
            raise Failed(f"dbt {words[0]}: {one_line(str(outcome.exception))}")
        if not outcome.success:
            raise Failed(f"dbt {words[0]}: {_first_error(outcome) or one_line(self._listener.first_error)}")
        return outcome


def _node(data: Any) -> Node:
    info, result = data.node_info, data.run_result
    return {
        "name": info.node_name,
        "materialized": info.materialized,
        "resource_type": info.resource_type,
        "status": result.status,
        "message": result.message,
        "seconds": result.execution_time,
        "response": MessageToDict(result.adapter_response, preserving_proto_field_name=True),
    }


def _first_error(outcome: dbtRunnerResult) -> str:
    """The error of the first failed node, and the number of others."""
    results = getattr(outcome.result, "results", ())
    failed = [result for result in results if str(result.status) in ("error", "fail", "runtime error") and result.message]
    if not failed:
        return ""
    more = f" ({len(failed) - 1} more in integration_tests/logs/dbt.log)" if len(failed) > 1 else ""
    return f"{failed[0].node.name}: {one_line(failed[0].message)}{more}"


def one_line(text: str, longest: int = 300) -> str:
    """A message without line breaks, truncated to `longest` characters."""
    joined = " ".join(text.split())
    return joined if len(joined) <= longest else joined[: longest - 1] + "…"
