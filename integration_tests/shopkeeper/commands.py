"""dbt's commands in this process, so that Spark starts once; what dbt prints is replaced by what the caller shows."""

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
"""What dbt reports of a finished node: its name, materialization, status, message and the adapter's response."""


class Failed(Exception):
    """A dbt command did not end well; the message is one sentence a user can act on."""


@dataclass
class Listener:
    """Hears dbt's events and hands on those that matter here."""

    on_title: Callable[[str], None] = lambda _: None
    on_node: Callable[[Node], None] = lambda _: None
    complaint: str = ""
    """The first error dbt told of: what a failed run-operation says only in the log."""

    def __call__(self, event: Any) -> None:
        name = event.info.name
        if event.info.level == "error" and not self.complaint:
            self.complaint = event.info.msg
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
        """The project as dbt understands it; starts no Spark."""
        if self._manifest is None:
            parsed = self._invoke("parse").result
            assert isinstance(parsed, Manifest)
            self._manifest = parsed
        return self._manifest

    def run_statements(self, statements: Sequence[Statement], on_title: Callable[[str], None]) -> None:
        """Run SQL on dbt's own connection, one statement after the other; hears also of a wait for Spark."""
        arguments = {"statements": [{"title": one.title, "sql": one.sql} for one in statements]}
        self._listener.on_title = on_title
        try:
            self._invoke("run-operation", "run_statements", "--args", json.dumps(arguments))
        finally:
            self._listener.on_title = lambda _: None

    def run(self, on_node: Callable[[Node], None]) -> None:
        """`dbt run`; the caller hears of each model when it is finished."""
        self._listen("run", on_node)

    def test(self, on_node: Callable[[Node], None]) -> None:
        """`dbt test`; the caller hears of each test when it is finished."""
        self._listen("test", on_node)

    def _listen(self, command: str, on_node: Callable[[Node], None]) -> None:
        self._listener.on_node = on_node
        try:
            self._invoke(command)
        finally:
            self._listener.on_node = lambda _: None

    def _invoke(self, *words: str) -> dbtRunnerResult:
        self._listener.complaint = ""
        runner = dbtRunner(manifest=self._manifest, callbacks=[self._listener])
        folder = str(self._folder)
        quiet = ("--log-level", "none", "--log-level-file", "debug", "--no-use-colors", "--no-print")
        where = ("--project-dir", folder, "--profiles-dir", folder)
        outcome = runner.invoke([*quiet, *words, *where])
        if outcome.exception is not None:
            raise Failed(f"dbt {words[0]}: {one_line(str(outcome.exception))}")
        if not outcome.success:
            raise Failed(f"dbt {words[0]}: {_first_complaint(outcome) or one_line(self._listener.complaint)}")
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


def _first_complaint(outcome: dbtRunnerResult) -> str:
    """What the first node that failed says of it, and how many others there are."""
    results = getattr(outcome.result, "results", ())
    bad = [one for one in results if str(one.status) in ("error", "fail", "runtime error") and one.message]
    if not bad:
        return ""
    more = f" ({len(bad) - 1} more in integration_tests/logs/dbt.log)" if len(bad) > 1 else ""
    return f"{bad[0].node.name}: {one_line(bad[0].message)}{more}"


def one_line(text: str, longest: int = 300) -> str:
    """A message without its line breaks, cut where nobody reads on."""
    joined = " ".join(text.split())
    return joined if len(joined) <= longest else joined[: longest - 1] + "…"
