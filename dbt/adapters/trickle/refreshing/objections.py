"""What the user wants a failure for, rather than the plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dbt_common.exceptions import CompilationError, DbtRuntimeError

from dbt.adapters.trickle.options import StreamTableConfig
from dbt.adapters.trickle.options.change_source import CHANGE_SOURCE
from dbt.adapters.trickle.options.on_configuration_change import ON_CONFIGURATION_CHANGE
from dbt.adapters.trickle.options.on_source_ddl import ON_SOURCE_DDL
from trickle import Probe, RefreshPlan
from trickle.catalog.change_sources import FeedRange
from trickle.catalog.happened import Appended, NotVersioned, Recreated


def insist(config: StreamTableConfig, plan: RefreshPlan, changes: Sequence[str], probes: Mapping[str, Probe]) -> None:
    """Raise where the user wants a failure rather than the plan; one error names everything that is wrong."""
    if config[ON_CONFIGURATION_CHANGE] == "fail" and plan.reason.code != "full_refresh" and changes:
        raise CompilationError(
            f"{' '.join(changes)} `on_configuration_change: fail` forbids to apply it: "
            "take the change back, or run with --full-refresh."
        )
    objections = [objection for source, seen in probes.items() for objection in _objections(config, source, seen)]
    if objections:
        raise DbtRuntimeError(" ".join(objections))


def _objections(config: StreamTableConfig, source: str, seen: Probe) -> Iterator[str]:
    if config[ON_SOURCE_DDL] == "fail" and (seen.columns_altered or isinstance(seen.happened, Recreated)):
        detail = seen.happened.detail
        yield f"{source}: {detail}, and `on_source_ddl: fail` forbids to start anew; run with --full-refresh."
    else:
        yield from _objections_to_kind(source, config[CHANGE_SOURCE].kind(source), seen)


def _objections_to_kind(source: str, kind: str, seen: Probe) -> Iterator[str]:
    happened, detail = seen.happened, seen.happened.detail
    if seen.is_quiet or (isinstance(happened, NotVersioned) and happened.before is None):
        return
    if kind == "append" and not isinstance(happened, Appended):
        yield (
            f"{source} was not only appended to ({detail}), which `change_source: append` demands; "
            "say `auto`, or run with --full-refresh."
        )
    if kind == "feed" and (seen.changes is None or not isinstance(seen.changes.rows, FeedRange)):
        yield (
            f"{source} has no change feed over the whole range ({detail}), which `change_source: feed` demands; "
            "set delta.enableChangeDataFeed on it, and run with --full-refresh once."
        )
