"""Methods for macros that report status, history and freshness. All but `trickle_overdue` read only logs."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbt.adapters.base.meta import available
from dbt.adapters.base.relation import BaseRelation
from dbt_common.exceptions import CompilationError, DbtRuntimeError

from dbt.adapters.trickle.history.delta_files import LogUnreadable
from dbt.adapters.trickle.methods.schedules import ScheduledStreamTables
from dbt.adapters.trickle.monitoring.catalog import statistics
from dbt.adapters.trickle.monitoring.freshness import last_change, overdue
from dbt.adapters.trickle.monitoring.history_text import history_json, history_text
from dbt.adapters.trickle.monitoring.orphans import orphans
from dbt.adapters.trickle.monitoring.refreshes import refreshes
from dbt.adapters.trickle.monitoring.status import statuses
from dbt.adapters.trickle.monitoring.status_text import status_json, status_text
from dbt.adapters.trickle.monitoring.targets import targets_of
from dbt.adapters.trickle.project.errors import ProjectError
from dbt.adapters.trickle.project.nodes import nodes_of
from dbt.adapters.trickle.project.profile import Profile
from dbt.adapters.trickle.project.project import Project
from dbt.adapters.trickle.relation import TrickleRelation

if TYPE_CHECKING:
    import agate

DbtGraph = Mapping[str, Any]
"""`graph` in a macro: the nodes and sources of the project."""

FORMATS = ("text", "json")


class MonitoringMethods(ScheduledStreamTables):
    """A mixin of the adapter that delegates to `monitoring`."""

    @available.parse(lambda *_, **__: "")
    def trickle_status(self, graph: DbtGraph, form: str = "text") -> str:
        """The output of `dbt-trickle status`."""
        project, now = self._project(graph), _now()
        tables, orphan_storages = statuses(project, targets_of(project), now), orphans(project)
        if _checked_format(form) == "json":
            return json.dumps(status_json(project, tables, now, orphan_storages), ensure_ascii=False)
        return status_text(project, tables, now, None, orphan_storages)

    @available.parse(lambda *_, **__: "")
    def trickle_history(self, graph: DbtGraph, model: str, limit: int = 20, form: str = "text") -> str:
        """The output of `dbt-trickle history`."""
        project = self._project(graph)
        try:
            node = project.stream_table(model)
            log = project.storage_log(node)
            records = refreshes(log, limit or None) if log.exists else []
        except (ProjectError, LogUnreadable) as wrong:
            raise DbtRuntimeError(str(wrong)) from wrong
        if _checked_format(form) == "json":
            return json.dumps(history_json(node, records), ensure_ascii=False)
        return history_text(node, records, project.profile.time_zone, None)

    @available.parse(lambda *_, **__: None)
    def trickle_overdue(
        self, relation: TrickleRelation, graph: DbtGraph, max_lag: str | None
    ) -> Mapping[str, Any] | None:
        """How a stream table, or the relation under its name, misses its target lag; None if it meets it."""
        fault = self.trickle_facade_fault(relation)
        if fault:
            return {"relation": ".".join(_name(relation)), "detail": fault}
        try:
            return overdue(self._project(graph), _name(relation), max_lag, _now())
        except ProjectError as wrong:
            raise CompilationError(str(wrong)) from wrong
        except LogUnreadable as wrong:
            raise DbtRuntimeError(str(wrong)) from wrong

    @available.parse(lambda *_, **__: None)
    def trickle_last_modified(self, relations: Sequence[BaseRelation]) -> agate.Table:
        """When rows of each relation last changed, by its log, for `dbt source freshness`."""
        from dbt_common.clients.agate_helper import table_from_rows

        snapshot = datetime.now(timezone.utc)
        log_of = self._warehouse().log
        try:
            rows = [
                (str(relation.schema), str(relation.identifier), last_change(_name(relation), log_of), snapshot)
                for relation in relations
            ]
        except LogUnreadable as wrong:
            raise DbtRuntimeError(str(wrong)) from wrong
        return table_from_rows(rows, ("schema", "identifier", "last_modified", "snapshotted_at"))

    def trickle_statistics(self, relation: BaseRelation) -> Mapping[str, Any]:
        """The statistics of a stream table for `dbt docs`; none for any other relation."""
        assert isinstance(relation, TrickleRelation)
        return statistics(self._storage_log(relation), self.connections.trickle_credentials.time_zone)

    def _project(self, graph: DbtGraph) -> Project:
        credentials = self.connections.trickle_credentials
        root, target = Path(self.config.project_root), str(self.config.target_name)
        profile = Profile(target, str(credentials.schema), credentials.warehouse, credentials.time_zone)
        histories = self.connections.histories
        return Project(root, str(self.config.project_name), nodes_of(graph), profile, histories=histories)


def _checked_format(form: str) -> str:
    if form not in FORMATS:
        raise DbtRuntimeError(f"`format: {form}` is not allowed; write {' or '.join(FORMATS)}.")
    return form


def _name(relation: BaseRelation) -> tuple[str, str]:
    return str(relation.schema).lower(), str(relation.identifier).lower()


def _now() -> int:
    return time.time_ns() // 1_000_000
