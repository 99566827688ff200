"""The executor runs a plan's steps in their order, whatever becomes of them. No Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from dbt.adapters.trickle.ports import StatementFailed
from dbt.adapters.trickle.refreshing.execute import Refreshable, execute
from dbt.adapters.trickle.refreshing.planned_once import ADAPTIVE, CONSTRAINTS
from dbt.adapters.trickle.refreshing.stamping import TRANSACTION_APP, TRANSACTION_VERSION, USER_METADATA
from tests.adapter.recording_session import RecordingSession
from trickle import Action, Column, Failure, Frontier, RefreshPlan, Stamp, Step, Target, step_sql
from trickle.apply.definitions import Condition, TableDefinition, ViewDefinition
from trickle.apply.order import steps_of_build, steps_of_change
from trickle.apply.steps import Create, Drop, Kind, NameFiles, Stage, Write
from trickle.catalog.source_files import DataFiles
from trickle.reasons import reason

OVERFLOW = Failure("ARITHMETIC_OVERFLOW", "22003", "overflow")
STAMP = Stamp("model.m", 3, "INCREMENTAL", "few_changes", "recount", "d", {}, Frontier({}), 0, "0.2")
USUAL = {ADAPTIVE: "true", "spark.sql.ansi.enabled": "true"}
TABLE = TableDefinition(
    properties={"trickle.storage_of": "s.m__trickle"},
    constraints=(Condition("positive", "a > 0"),),
    altered_properties={"owner": "me"},
    altered_clustering=("a",),
    markers={"trickle.facade": "f", "trickle.storage_of": "s.m__trickle"},
)
VIEW = ViewDefinition(in_place=False, table_in_its_place=True, pinned="SELECT a FROM s.m__trickle VERSION AS OF 1")
TARGET = Target(("s", "m"), ("s", "m__trickle"), exists=True, table=TABLE, view=VIEW)
STAGED = (Stage("p1", "SELECT 1 AS a"), Stage("p2", "SELECT a FROM p1"))
MERGE = Write(Kind.MERGE, "MERGE INTO s.m__trickle …", "apply the change by recount", planned_once=True)
SHOWN = "SELECT a FROM s.m__trickle"


def plan(*steps: Step) -> RefreshPlan:
    return RefreshPlan(Action.INCREMENTAL, reason("few_changes", detail="…"), "recount", steps, STAMP)


MAINTAINS = plan(*steps_of_change((*STAGED, MERGE), SHOWN, TARGET))
NAMED = (
    NameFiles("f1", DataFiles(("/w/a.parquet", "/w/b.parquet"), (Column("a", "int"),))),
    NameFiles("f2", DataFiles(("/w/c.parquet",), (Column("a", "int"), Column("b", "string")))),
)
BY_FILES = plan(*steps_of_change((*NAMED, *STAGED, MERGE), SHOWN, TARGET))
BUILDS = plan(*steps_of_build("SELECT 1 AS a", SHOWN, TARGET))


@dataclass
class Scenario:
    """A plan, the plan that is run instead of it, and when its commit was verified."""

    plan: RefreshPlan
    others: dict[str, Scenario] = field(default_factory=dict)
    """What to run instead, by the condition of the failure."""
    verified: list[RefreshPlan] = field(default_factory=list)

    def verify(self) -> None:
        self.verified.append(self.plan)

    def instead(self, failure: Failure) -> Scenario | None:
        return self.others.get(failure.condition)


@dataclass
class Journal:
    """A watcher that records its calls."""

    told: list[tuple[str, Any]] = field(default_factory=list)

    def begin(self, refresh: Refreshable) -> None:
        self.told.append(("begin", refresh.plan.strategy))

    def announce(self, step: Step, sql: str) -> None:
        self.told.append(("announce", sql))

    def finish(self, step: Step) -> None:
        self.told.append(("finish", step_sql(step)))


def texts(steps: Sequence[Step]) -> list[str]:
    """The texts that a session records for steps."""
    return [recorded(step) for step in steps]


def recorded(step: Step) -> str:
    """Of a stage its query, of named files their name and paths."""
    match step:
        case Stage():
            return step.query
        case NameFiles():
            return f"files {step.name}: {', '.join(step.files.paths)}"
        case _:
            return step_sql(step)


def failing(text: str, failure: Failure = OVERFLOW) -> RecordingSession:
    """A session in which one statement fails."""
    return RecordingSession(lambda sql: failure if sql == text else None, dict(USUAL))


def test_the_order_of_a_maintained_table() -> None:
    """Stages, data, properties, clustering, view and markers: cut off anywhere, the next run finds it right."""
    kinds = [(step.kind, step.why) for step in MAINTAINS.steps]

    assert kinds == [
        ("stage", "computed once, before the statement that reads it"),
        ("stage", "computed once, before the statement that reads it"),
        ("merge", "apply the change by recount"),
        ("alter", "properties changed"),
        ("alter", "clustering changed"),
        ("drop", "the model was a table"),
        ("facade", "the view users read"),
        ("alter", "view and constraints stand"),
    ]


def test_the_order_of_a_new_table() -> None:
    """Readers see the old version during the write; constraints come before the view, and the markers last."""
    kinds = [(step.kind, step.why) for step in BUILDS.steps]

    assert kinds == [
        ("facade", "readers keep the old version meanwhile"),
        ("create", "build the table"),
        ("alter", "constraint of the contract"),
        ("drop", "the model was a table"),
        ("facade", "the view users read"),
        ("alter", "view and constraints stand"),
    ]


def test_a_table_that_cannot_be_replaced_is_dropped() -> None:
    """Then there is nothing that the view could be pinned to."""
    first, second, *_ = steps_of_build("SELECT 1", SHOWN, replace(TARGET, table=replace(TABLE, replaceable=False)))

    assert isinstance(first, Drop) and isinstance(second, Create)


def test_an_unchanged_view_survives_a_new_table() -> None:
    """One statement, whose commit records that the view exists."""
    table, view = replace(TABLE, constraints=()), ViewDefinition(pinned="SELECT …")
    (create,) = steps_of_build("SELECT 1", SHOWN, replace(TARGET, table=table, view=view))

    assert isinstance(create, Create)
    assert create.properties["trickle.facade"] == "f"


@pytest.mark.parametrize("given", [MAINTAINS, BY_FILES, BUILDS], ids=["maintained", "by files", "new"])
def test_every_step_runs_in_its_order(given: RefreshPlan) -> None:
    """Each is announced before it runs; stages and names of files are not statements of their own in the report."""
    session, journal = RecordingSession(values=dict(USUAL)), Journal()

    done = execute(Scenario(given), session, journal)

    assert session.statements == texts(given.steps)
    assert [text for what, text in journal.told if what == "announce"] == [step_sql(step) for step in given.steps]
    statements = [step for step in given.steps if not isinstance(step, (NameFiles, Stage))]
    assert [one.kind for one in done.executed] == [step.kind for step in statements]
    assert done.refresh.verified == [given]


def test_only_the_commit_carries_the_stamp() -> None:
    """Of several writes the last: it is the refresh. No other statement, and nothing after it, is stamped."""
    earlier = Write(Kind.APPEND, "INSERT INTO s.helper …", "first half", planned_once=True)
    session = RecordingSession(values=dict(USUAL))

    execute(Scenario(plan(*STAGED, earlier, *MAINTAINS.steps[2:])), session)

    stamped = [one for one in session.ran if USER_METADATA in one.settings]
    assert [one.sql for one in stamped] == [MERGE.sql]
    (commit,) = stamped
    assert (commit.settings[TRANSACTION_APP], commit.settings[TRANSACTION_VERSION]) == ("model.m", "3")
    assert commit.settings[USER_METADATA] == STAMP.to_json()
    assert session.values == USUAL


def test_a_known_plan_is_planned_once() -> None:
    """Only while it runs; what is not known is planned as the user's settings say."""
    session = RecordingSession(values=dict(USUAL))
    execute(Scenario(MAINTAINS), session)
    other = RecordingSession(values=dict(USUAL))
    execute(Scenario(plan(replace(MERGE, planned_once=False))), other)

    assert [one.sql for one in session.ran if one.settings[ADAPTIVE] == "false"] == [MERGE.sql]
    assert [one.sql for one in session.ran if one.settings.get(CONSTRAINTS) == "false"] == [MERGE.sql]
    assert [(one.settings[ADAPTIVE], CONSTRAINTS in one.settings) for one in other.ran] == [("true", False)]
    assert session.values == USUAL


def test_one_statement_to_be_learnt_from_is_reason_enough() -> None:
    """Several writes are planned once only where all of them are known."""
    unknown = Write(Kind.APPEND, "INSERT INTO s.helper …", "first half")

    assert plan(MERGE, MERGE).is_planned_once
    assert not plan(unknown, MERGE).is_planned_once
    assert not BUILDS.is_planned_once


@pytest.mark.parametrize("given", [MAINTAINS, BY_FILES, BUILDS], ids=["maintained", "by files", "new"])
def test_cut_off_after_every_step(given: RefreshPlan) -> None:
    """Whichever step fails: those before it have run, none after it, and the session is as it was."""
    for place, text in enumerate(texts(given.steps)):
        session, scenario, journal = failing(text), Scenario(given), Journal()

        with pytest.raises(StatementFailed) as failed:
            execute(scenario, session, journal)

        assert failed.value.failure is OVERFLOW
        assert session.statements == texts(given.steps)[: place + 1]
        assert session.values == USUAL
        assert session.computed == {}
        assert journal.told[-1] == ("announce", step_sql(given.steps[place]))
        committed = given.committing
        assert committed is not None
        assert bool(scenario.verified) == (place > given.steps.index(committed))


def test_stages_are_dropped_once_the_data_is_committed() -> None:
    """They are not read afterwards, and use memory."""
    kept: list[dict[str, str]] = []
    session = RecordingSession(values=dict(USUAL))

    def record(sql: str) -> None:
        kept.append(dict(session.computed))

    session.effect = record
    execute(Scenario(MAINTAINS), session)

    assert [len(one) for one in kept] == [0, 1, 2, 0, 0, 0, 0, 0]


def test_files_have_their_names_until_the_data_is_committed() -> None:
    """Before any statement, with their columns; nobody reads them afterwards."""
    kept: list[dict[str, str]] = []
    session = RecordingSession(values=dict(USUAL))

    def record(sql: str) -> None:
        kept.append(dict(session.computed))

    session.effect = record
    execute(Scenario(BY_FILES), session)

    assert session.statements[:2] == ["files f1: /w/a.parquet, /w/b.parquet", "files f2: /w/c.parquet"]
    assert kept[2] == {"f1": "`a` int", "f2": "`a` int, `b` string"}
    assert [sorted(one) for one in kept] == [[], ["f1"], ["f1", "f2"], ["f1", "f2", "p1"], ["f1", "f2", "p1", "p2"]] + [
        [] for _ in BY_FILES.steps[5:]
    ]


def test_files_that_are_gone_are_a_failure_of_the_data() -> None:
    """Of a storage: another plan is run instead, under the same names or none, and nothing is kept of the first."""
    gone = Failure("PATH_NOT_FOUND", "42K03", "", {"path": "/w/c.parquet"})
    other = plan(Write(Kind.OVERWRITE, "INSERT OVERWRITE …", "recompute all rows"))
    session = failing(recorded(NAMED[1]), gone)

    done = execute(Scenario(BY_FILES, {gone.condition: Scenario(other)}), session)

    assert session.statements == [recorded(NAMED[0]), recorded(NAMED[1]), "INSERT OVERWRITE …"]
    assert (done.refresh.verified, session.computed, session.values) == ([other], {}, USUAL)


@pytest.mark.parametrize("text", [STAGED[1].query, MERGE.sql], ids=["a stage", "the data"])
def test_another_plan_is_run_instead(text: str) -> None:
    """From its first step and under its own stamp; the remaining steps of the first plan are not run."""
    other = plan(Write(Kind.OVERWRITE, "INSERT OVERWRITE …", "recompute all rows"))
    other = replace(other, strategy="overwrite_all", stamp=replace(STAMP, action="FULL"))
    session, journal = failing(text), Journal()

    done = execute(Scenario(MAINTAINS, {OVERFLOW.condition: Scenario(other)}), session, journal)

    assert done.refresh.plan is other
    assert session.ran[-1].sql == "INSERT OVERWRITE …"
    assert '"FULL"' in session.ran[-1].settings[USER_METADATA]
    assert [what for what in journal.told if what[0] == "begin"] == [("begin", "recount"), ("begin", "overwrite_all")]
    assert [one.kind for one in done.executed] == ["overwrite"]
    assert (done.refresh.verified, session.computed, session.values) == ([other], {}, USUAL)


def test_nothing_is_done_instead_once_the_data_is_committed() -> None:
    """A view that cannot be put up is no reason to recompute."""
    other = Scenario(plan(Write(Kind.OVERWRITE, "INSERT OVERWRITE …", "recompute all rows")))
    session = failing(step_sql(MAINTAINS.steps[3]))

    with pytest.raises(StatementFailed):
        execute(Scenario(MAINTAINS, {OVERFLOW.condition: other}), session)

    assert "INSERT OVERWRITE …" not in session.statements


def test_a_plan_that_writes_nothing_is_not_verified() -> None:
    """An ALTER has no stamp to verify."""
    scenario = Scenario(replace(plan(*steps_of_change((), SHOWN, TARGET)), action=Action.NO_DATA, stamp=None))
    session = RecordingSession(values=dict(USUAL))

    done = execute(scenario, session)

    assert (scenario.verified, done.committed) == ([], None)
    assert not any(USER_METADATA in one.settings for one in session.ran)
