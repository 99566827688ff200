"""docs/reasons.md: every code a user can meet, its sentence, an example, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.documents.reason_examples import EXAMPLES
from tests.facts import explained
from tests.snapshots.shop import resolve
from trickle import Reason
from trickle.reasons import RECOMPUTE, REFRESH, Entry
from trickle.sql.text import underline

ACTIONS: Mapping[str, str] = {
    "first_build": "FULL",
    "full_refresh": "FULL",
    "definition_changed": "REINITIALIZE",
    "contract_changed": "REINITIALIZE",
    "shows_another_instant": "REINITIALIZE",
    "setting_restored": "a note",
    "state_missing": "REINITIALIZE",
    "source_recreated": "REINITIALIZE",
    "new_source": "REINITIALIZE",
    "source_replaced": "FULL",
    "source_altered": "FULL",
    "source_unreadable": "FULL",
    "feed_missing": "FULL",
    "source_not_versioned": "FULL",
    "no_source_changed": "NO_DATA",
    "only_maintenance": "NO_DATA",
    "only_added": "APPEND",
    "rows_run_out": "FULL",
    "recursion_limit": "FULL",
    "statement_too_deep": "FULL",
    "bad_value": "FULL",
    "sum_overflows": "FULL",
    "stored_rows_differ": "FULL",
    "few_changes": "INCREMENTAL",
    "cheaper_full": "FULL",
    "forced_full": "FULL",
    "forced_incremental": "INCREMENTAL, APPEND",
    "recompute": "FULL",
    "above_threshold": "FULL",
    "held_back": "NO_DATA, or a note",
    "inputs_disagree": "a note",
    "pin_lost": "a note",
    "model_read_as_source": "a note",
    "made_apart": "a note",
    "change_not_applied": "a note",
}
"""The action a reason goes with."""

ADAPTER: Mapping[str, tuple[str, str]] = {
    "arrangement_failed": (
        "a note",
        "A grouping inside the query was to be stored as a stream table of its own, and that failed: the query reads "
        "its sources. `arrangements: none` tries no more.",
    ),
    "reads_arrangement": (
        "a note",
        "A grouping inside the query is stored as a stream table of its own ([arrangements](arrangements.md)): what "
        "its refresh did, and how long it took.",
    ),
    "storage_retired": ("REINITIALIZE", "The model was another materialization since its last refresh."),
    "storage_moved": ("REINITIALIZE", "`location_root` changed: the table is rebuilt in the new location."),
    "storage_changed": (
        "REINITIALIZE",
        "Somebody else wrote to the storage table: a manual UPDATE, a RESTORE, a clone. Write to the sources instead.",
    ),
    "storage_unregistered": (
        "REINITIALIZE",
        "The storage has files that Spark's catalog does not know: an earlier run was cut off.",
    ),
    "storage_damaged": (
        "REINITIALIZE",
        "A file of the storage is gone, cut short or damaged: the sentence names it. The table is rebuilt from its "
        "sources.",
    ),
    "facade_replaced": (
        "a note",
        "The table's name was not our view: something else had it, or it was gone. The view was restored.",
    ),
    "layout_changed": ("REINITIALIZE", "`partition_by` changed, or something else no ALTER can do."),
    "not_due": (
        "SKIP",
        "The slot of its schedule is taken, and the next one has not come. See [schedules](schedules.md).",
    ),
    "suspended": (
        "SUSPENDED",
        "So many refreshes in a row failed as `max_consecutive_errors` allows. dbt fails the model, unless `on_stale` "
        "says otherwise. An edit of the model's SELECT, repaired data with `--vars '{trickle_force: true}'`, or "
        "`dbt-trickle resume MODEL` lifts it.",
    ),
    "suspended_by_hand": (
        "SUSPENDED",
        "Somebody ran `dbt-trickle suspend`. dbt warns, and `dbt-trickle resume MODEL` lifts it.",
    ),
    "refresh_under_way": (
        "SKIP",
        "Another run of dbt has the warehouse and refreshes the tables that are due. Once the rows are older than the "
        "target lag allows, dbt fails the model, unless `on_stale` says otherwise. To wait instead, set "
        "`when_busy: wait` in the profile.",
    ),
    "constraints_changed": ("REINITIALIZE", "The contract's constraints changed; the rows are checked against them."),
}
"""Reasons that lie in the storage or in the dbt model, which the engine does not see."""

ERRORS: Mapping[str, str] = {
    "invalid_view": "The model's SQL or configuration is wrong; Spark would refuse it too. dbt fails to compile it.",
    "unsupported": "`refresh_mode: incremental`, and the query has no incremental form. The message says why.",
    "state_disagrees": "The stored state contradicts itself. Run with `--full-refresh`.",
    "internal_error": "A bug in dbt-trickle. Please report the query.",
}

HEAD = """# Reasons

Every decision carries a code and one sentence. `dbt run` prints the code of every FULL and REINITIALIZE;
`run_results.json` has code and sentence of every refresh under `adapter_response`; `dbt-trickle explain` names the
place in the query.

*This page is generated: `python -m tests.documents` writes it from `engine/trickle/reasons.py`. The tables of the
examples are in `tests/snapshots/shop.py`; a test runs `explain` on each example and expects the code above it.*
"""

RECOMPUTED = """
## Why a query is recomputed

The query is run whole at every refresh whose sources changed, and only the difference to the stored rows is written.
So models downstream still see small changes. `refresh_mode: incremental` refuses such a query when it is compiled.
Above each example is what `explain` says about it.
"""

REFRESHED = """
## Why a refresh did what it did

A note says more about a refresh than its reason does; `adapter_response` has it under `notes`.

| code | action | sentence |
|---|---|---|
"""

FAILED = """
## Errors

| code | what it means |
|---|---|
"""


def reasons_page() -> str:
    recompute = "\n".join(part for code, entry in RECOMPUTE.items() for part in _recompute(code, entry))
    refresh = "".join(f"| `{code}` | {ACTIONS[code]} | {sentence(entry)} |\n" for code, entry in REFRESH.items())
    adapter = "".join(f"| `{code}` | {action} | {told} |\n" for code, (action, told) in ADAPTER.items())
    errors = "".join(f"| `{code}` | {told} |\n" for code, told in ERRORS.items())
    return f"{HEAD}{RECOMPUTED}\n{recompute}{REFRESHED}{refresh}{adapter}{FAILED}{errors}"


def _recompute(code: str, entry: Entry) -> Iterator[str]:
    if code not in EXAMPLES:
        yield f"### {code}\n\n{sentence(entry)}\n"
        return
    sql = EXAMPLES[code]
    met = next(one for one in met_reasons(sql) if one.code == code)
    shown = underline(sql, met.position) if met.position is not None else sql
    yield f"### {code}\n\n{met.message} {met.remedy}\n\n```\n{shown}\n```\n"


def met_reasons(sql: str) -> tuple[Reason, ...]:
    return explained(sql, resolve).reasons


def sentence(entry: Entry) -> str:
    """Message and remedy, with an ellipsis where the words of the case go."""
    message = entry.message.format(what="…", detail="…")
    return f"{message} {entry.remedy}".strip()
