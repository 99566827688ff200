"""execute: runs a plan's steps on a session, in their order. The only place that does.

dbt, `verify`, the tests and the benchmarks differ in the session they give, in who watches, and in what a refresh does
when its data cannot be written.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from dbt.adapters.trickle.history.delta_files import StampedCommit
from dbt.adapters.trickle.ports import Session, StatementFailed
from dbt.adapters.trickle.refreshing.planned_once import planned_once
from dbt.adapters.trickle.refreshing.response import ExecutedStatement
from dbt.adapters.trickle.refreshing.stamping import stamping
from trickle import Failure, RefreshPlan, Step, step_sql
from trickle.apply.steps import NameFiles, Stage

R = TypeVar("R", bound="Refreshable")


class Refreshable(Protocol):
    """A plan, how its commit is verified, and what is run instead of it."""

    @property
    def plan(self) -> RefreshPlan: ...

    def verify(self) -> StampedCommit | None:
        """The commit that carries the plan's stamp, from the storage's history; raises where it does not."""
        ...

    def instead(self: R, failure: Failure) -> R | None:
        """What to run when the data cannot be written for this reason; None: the refresh has failed."""
        ...


class Watcher(Protocol):
    """Follows the progress of a refresh."""

    def begin(self, refresh: Refreshable) -> None:
        """This refresh is run from here on: the first, or one instead of it."""
        ...

    def announce(self, step: Step, sql: str) -> None:
        """The step runs next. When it fails, its text is what one wants to read."""
        ...

    def finish(self, step: Step) -> None:
        """The step has run."""
        ...


class Silence:
    """A watcher that does nothing."""

    def begin(self, refresh: Refreshable) -> None:
        pass

    def announce(self, step: Step, sql: str) -> None:
        pass

    def finish(self, step: Step) -> None:
        pass


@dataclass(frozen=True)
class Execution(Generic[R]):
    """A refresh that has ended: which one it was in the end, what ran, and its commit, proved to be its own."""

    refresh: R
    executed: tuple[ExecutedStatement, ...]
    committed: StampedCommit | None


def execute(refresh: R, session: Session, watcher: Watcher | None = None) -> Execution[R]:
    """Run a refresh, or what it does instead, to its end. A failure that nothing can be done about is raised."""
    watcher = watcher or Silence()
    executed: list[ExecutedStatement] = []
    while True:
        watcher.begin(refresh)
        run = _Run(refresh, session, watcher, executed)
        try:
            committed = run.data()
        except StatementFailed as failed:
            following = refresh.instead(failed.failure)
            if following is None:
                raise
            refresh = following
            continue
        run.rest()
        return Execution(refresh, tuple(executed), committed)


class _Run:
    """One plan: its steps up to the commit that carries the stamp, then those after it."""

    def __init__(self, refresh: Refreshable, session: Session, watcher: Watcher, executed: list[ExecutedStatement]):
        self._refresh = refresh
        self._session = session
        self._watcher = watcher
        self._executed = executed
        steps, last = refresh.plan.steps, refresh.plan.committing
        until = 0 if last is None else next(index for index, step in enumerate(steps) if step is last) + 1
        self._until_commit, self._after_commit = steps[:until], steps[until:]

    def data(self) -> StampedCommit | None:
        """Everything up to the commit, and the proof that it is ours."""
        started = time.monotonic()
        with self._forgetting():
            for step in self._until_commit:
                if isinstance(step, Stage):
                    self._watcher.announce(step, step_sql(step))
                    self._session.compute(step.name, step.query)
                    continue
                if isinstance(step, NameFiles):
                    self._watcher.announce(step, step_sql(step))
                    self._session.name_files(step.name, step.files)
                    continue
                self._run(step, started)
                started = time.monotonic()
        return self._refresh.verify() if self._until_commit else None

    def rest(self) -> None:
        for step in self._after_commit:
            self._run(step, time.monotonic())

    def _run(self, step: Step, started: float) -> None:
        """Stages count as part of the statement that follows them."""
        plan, sql = self._refresh.plan, step_sql(step)
        self._watcher.announce(step, sql)
        stamp = plan.stamp if step is plan.committing else None
        once = step in plan.writes and plan.is_planned_once
        with self._session.with_settings({**stamping(stamp), **planned_once(once)}):
            self._session.run(sql)
        self._watcher.finish(step)
        self._executed.append(ExecutedStatement(step.kind, step.why, round(time.monotonic() - started, 3)))

    @contextmanager
    def _forgetting(self) -> Iterator[None]:
        """Stages are gone when the data is committed, or could not be."""
        try:
            yield
        finally:
            for name in self._refresh.plan.temporary_names:
                self._session.forget(name)
