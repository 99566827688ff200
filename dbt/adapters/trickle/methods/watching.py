"""What dbt's user sees of a refresh under way: its file in target/run, and a line on the console."""

from __future__ import annotations

from collections.abc import Callable

from dbt.adapters.events.logging import AdapterLogger

from dbt.adapters.trickle.refreshing.execute import Refreshable
from dbt.adapters.trickle.refreshing.refresh import Refresh
from dbt.adapters.trickle.storages.location import clear_remains
from trickle import Action, Reason, Step
from trickle.apply.steps import Drop

logger = AdapterLogger("Trickle")
FACADE_REPLACED = "facade_replaced"
NOTEWORTHY = (Action.FULL, Action.REINITIALIZE)


class RefreshWatcher:
    """Keeps the script, whose last statement is the one that runs, or has failed."""

    def __init__(self, refresh: Refresh, write: Callable[[str], object], table_dropped: Callable[[], None]) -> None:
        self._refresh = refresh
        self._write = write
        self._table_dropped = table_dropped
        self._noted: list[Reason] = []
        self._script = [refresh.script.rstrip()]

    def begin(self, refresh: Refreshable) -> None:
        assert isinstance(refresh, Refresh)
        self._refresh = refresh
        relation = refresh.decision.relation.identifier
        write = logger.info if refresh.plan.action in NOTEWORTHY else logger.debug
        write(f"{relation}: {refresh.headline}")
        for note in refresh.plan.notes:
            # A plan instead of another has the same notes.
            if note.code == FACADE_REPLACED and note not in self._noted:
                self._noted.append(note)
                logger.info(f"{relation}: {note.sentence()}")

    def announce(self, step: Step, sql: str) -> None:
        self._script.append(f"-- {step.why}\n{sql.strip()};")
        self._write("\n\n".join(self._script) + "\n")

    def finish(self, step: Step) -> None:
        """DROP leaves the files of a table whose log is damaged, and dbt's list of relations as it was."""
        decision = self._refresh.decision
        if not isinstance(step, Drop):
            return
        if step.relation != decision.target.storage:
            self._table_dropped()
        elif decision.log_damaged:
            clear_remains(decision.log.path)
