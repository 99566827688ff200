"""The table of aggregates with states: a row for each file of engine/trickle/aggregates that declares one."""

from __future__ import annotations

from trickle.aggregates.maintain import STATEFUL

HEAD = "| aggregate | hidden states | when rows are removed |\n|---|---|---|"
OTHERS = "| any other | none | the touched groups are read again |"


def states_table(_: str) -> str:
    rows = [f"| {form.calls} | {form.states} | {form.removal} |" for form in STATEFUL]
    return "\n".join([HEAD, *rows, OTHERS, ""])
