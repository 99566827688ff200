"""A scenario as the text of a case file, so that a mismatch can be added to the tests."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from dbt.adapters.trickle.cli.verify.scenario import MINUTE, Scenario, SourceTable, Step

INDENT = "    "


def write_case(scenario: Scenario, folder: Path) -> Path:
    """Write the scenario under its id; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{scenario.id.replace('/', '_')}.case"
    file.write_text(case_text(scenario), "utf-8")
    return file


def case_text(scenario: Scenario) -> str:
    """The text that `parse_case` parses: tables, stream tables and steps."""
    parts = [f"# {scenario.why}"]
    parts += [f"clock {_instant(scenario.start)}"] if scenario.start != MINUTE else []
    parts += [_table(table) for table in scenario.tables]
    parts += [f"view {view.name}\n{_indented(view.sql)}" for view in scenario.views]
    parts += [_step(step) for step in scenario.steps]
    return "\n\n".join(parts) + "\n"


def _table(table: SourceTable) -> str:
    columns = ", ".join(f"`{column.name}` {column.type.upper()}" for column in table.columns)
    return "\n".join([f"table {table.name} ({columns})", *map(_indented, table.rows)])


def _step(step: Step) -> str:
    return "\n".join(
        [
            "step" if step.at is None else f"step at {_instant(step.at)}",
            *(_indented(change.sql) for change in step.changes),
        ]
    )


def _instant(instant: int) -> str:
    return (datetime(1970, 1, 1) + timedelta(milliseconds=instant)).isoformat(" ")


def _indented(text: str) -> str:
    """A statement at the body's indentation, its further lines deeper."""
    first, *rest = text.strip().split("\n")
    return "\n".join([INDENT + first, *(INDENT * 2 + line for line in rest if line.strip())])
