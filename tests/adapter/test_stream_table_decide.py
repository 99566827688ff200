"""Decisions of a refresh from hand-written logs: the real engine, no Spark."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt_common.exceptions import CompilationError, DbtRuntimeError

from dbt.adapters.trickle.ports import Capabilities
from dbt.adapters.trickle.refreshing.refresh import refresh_of
from dbt.adapters.trickle.storages.table_properties import FACADE, RETIRED
from tests.adapter.house import House, puts_view
from tests.adapter.log_builder import metadata, remove
from trickle import Action, Failure, InvalidView, output_schema
from trickle.apply.steps import Cluster, Create, Drop, PinView, SetProperties
from trickle.catalog.frontier import MESSAGE
from trickle.planning.fallback import USER_RAISED
from trickle.planning.learned_prices import ESTIMATED

RAISED = Failure(USER_RAISED, "P0001", "", {"errorMessage": "dbt-trickle [stored_rows_differ]: the stored rows of …"})


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.fixture
def built(house: House) -> House:
    house.build(house.decide())
    return house


def test_first_build(house: House) -> None:
    """Nothing there: build, put up the view, number the refresh one."""
    decision = house.decide(seen=False)

    assert (decision.plan.action, decision.plan.reason.code) == (Action.FULL, "first_build")
    assert decision.stamp is not None
    assert (decision.stamp.refresh, decision.stamp.extra["planned_on"]) == (1, -1)
    assert puts_view(decision.plan)
    assert not any(isinstance(step, PinView) for step in decision.plan.steps)


def test_nothing_happened(built: House) -> None:
    """The same source version: nothing to run, nothing to alter, the view stands."""
    decision = built.decide()

    assert decision.plan.action is Action.NO_DATA
    assert decision.plan.steps == ()
    assert not puts_view(decision.plan)


def test_an_append_is_maintained_and_numbered(built: House) -> None:
    """The next stamp carries the next number and the version it was planned on."""
    built.source.append("f2")

    decision = built.decide()

    assert decision.plan.action in (Action.APPEND, Action.INCREMENTAL)
    assert decision.stamp is not None
    assert (decision.stamp.refresh, decision.stamp.extra["planned_on"]) == (2, built.storage.version)


def test_foreign_rows_are_not_built_upon(built: House) -> None:
    """A commit that is not ours means rebuild, under a number Delta has not seen."""
    built.storage.append("foreign")

    decision = built.decide()

    assert (decision.plan.action, decision.plan.reason.code) == (Action.REINITIALIZE, "storage_changed")
    assert decision.stamp is not None
    assert decision.stamp.refresh == 2


def test_foreign_rows_that_slipped_in_are_found_later(built: House) -> None:
    """A commit between planning and our own commit hides behind our stamp: the planned version gives it away."""
    built.source.append("f2")
    decision = built.decide()
    built.storage.append("foreign")
    built.build(decision)

    assert built.decide().plan.reason.code == "storage_changed"


def test_a_clone_over_the_storage_is_not_ours(built: House) -> None:
    """A CLONE carries rows of another table: no state of ours describes them."""
    built.storage.commit("CLONE", metadata(table_id="other"), remove("m-1"), built.storage.add("c"))

    assert built.decide().plan.reason.code == "storage_changed"


def test_a_table_without_any_stamp_is_rebuilt(house: House) -> None:
    """Its refresh number is above any that its log may hold for this model."""
    house.storage.create().append("x")

    decision = house.decide()

    assert decision.plan.action is Action.REINITIALIZE
    assert decision.stamp is not None
    assert decision.stamp.refresh == 5_000_000


def test_a_retired_storage_is_rebuilt(built: House) -> None:
    """The model was a view meanwhile: what its storage says is out of date."""
    built.storage.commit("SET TBLPROPERTIES", metadata(table_id="m", **{RETIRED: "true"}))

    assert built.decide().plan.reason.code == "storage_retired"


def test_a_missing_view_is_put_back_without_rebuild(built: House) -> None:
    """dbt saw no view of the name."""
    decision = built.decide(seen=False)

    assert decision.plan.action is Action.NO_DATA
    assert puts_view(decision.plan)


def test_a_new_definition_pins_the_old_rows(built: House) -> None:
    """Readers keep what they saw, columns included, until the new view stands."""
    decision = built.decide(sql="SELECT a, b FROM s.t WHERE a > 1")
    retold = built.decide(sql="SELECT a, b /* the same */ FROM s.t WHERE a > 0")

    assert decision.plan.reason.code == "definition_changed"
    assert retold.plan.action is Action.NO_DATA
    assert "VERSION AS OF" in decision.target.view.pinned


def test_a_full_refresh_keeps_the_view(built: House) -> None:
    """Same columns, same view: one statement, whose commit says that the view stands."""
    (create,) = built.decide(full=True).plan.steps

    assert isinstance(create, Create)
    assert FACADE in create.properties


def test_a_storage_the_catalog_does_not_know(built: House) -> None:
    """A run cut off between commit and catalog left files: they are built anew, not maintained."""
    properties = {"delta.enableChangeDataFeed": "true"}
    built.storage.commit("SET TBLPROPERTIES", metadata(table_id="m", **properties))
    built.registered = False

    assert built.decide(seen=False).plan.reason.code == "storage_unregistered"


def test_a_storage_that_moves(built: House) -> None:
    """Files left in the new folder by an earlier life are not taken for the table."""
    built.elsewhere = True

    assert built.decide({"location_root": "/data"}).plan.reason.code == "storage_moved"


def test_partitioning_a_clustered_table_drops_it_first(built: House) -> None:
    """Delta refuses to replace it: the plan says so before Delta does."""
    built.storage.checksum("m", clustering=("a",))

    assert isinstance(built.decide({"partition_by": "a"}).plan.steps[0], Drop)
    assert not any(isinstance(step, Drop) for step in built.decide({"cluster_by": "a"}).plan.steps)


def test_layout(built: House) -> None:
    """Properties and clustering are altered; partitioning means a rebuild."""
    built.storage.checksum("m")
    altered = built.decide({"tblproperties": {"owner": "me"}, "cluster_by": "a", "retention": "2d"})
    rebuilt = built.decide({"partition_by": "a"})

    assert altered.plan.action is Action.NO_DATA
    properties, clustering = altered.plan.steps
    assert isinstance(properties, SetProperties)
    assert properties.properties == {
        "owner": "me",
        "delta.deletedFileRetentionDuration": "interval 48 hours",
        "delta.logRetentionDuration": "interval 48 hours",
    }
    assert isinstance(clustering, Cluster)
    assert clustering.columns == ("a",)
    assert (rebuilt.plan.action, rebuilt.plan.reason.code) == (Action.REINITIALIZE, "layout_changed")
    assert not any(isinstance(step, (SetProperties, Cluster)) for step in rebuilt.plan.steps)


def test_on_configuration_change_fail(built: House) -> None:
    """A new definition is refused, and --full-refresh is the way to insist."""
    config = {"on_configuration_change": "fail"}
    with pytest.raises(CompilationError, match="`on_configuration_change: fail` forbids"):
        built.decide(config, sql="SELECT a, b FROM s.t")

    assert built.decide(config, sql="SELECT a, b FROM s.t", full=True).plan.action is Action.FULL


def test_on_configuration_change_fail_forbids_an_alter(built: House) -> None:
    """A property is a configuration, too: the sentence names it, and nothing is altered."""
    config = {"on_configuration_change": "fail", "tblproperties": {"owner": "me"}}
    with pytest.raises(CompilationError, match=r"changed since the last refresh: `owner`\. `on_configuration_change"):
        built.decide(config)

    assert built.decide(config, full=True).plan.action is Action.FULL


def test_on_source_ddl_fail(built: House) -> None:
    """A source whose columns are not what they were stops the model; a further column that nobody reads does not."""
    wider = (("a", "integer"), ("b", "string"), ("c", "long"))
    built.source.commit("ADD COLUMNS", metadata(fields=wider))
    assert built.decide({"on_source_ddl": "fail"}).plan.action is Action.NO_DATA
    built.source.commit("CHANGE COLUMN", metadata(fields=(("a", "long"), *wider[1:])))

    with pytest.raises(DbtRuntimeError, match="`on_source_ddl: fail` forbids"):
        built.decide({"on_source_ddl": "fail"})


def test_change_source_append_is_a_promise(built: House) -> None:
    """A source that was promised to grow only, and did not, stops the model."""
    config = {"change_source": {"s.t": "append"}}
    built.source.append("f2")
    grown = built.decide(config)
    built.source.commit("DELETE", remove("f2"))

    assert grown.plan.action in (Action.APPEND, Action.INCREMENTAL)
    with pytest.raises(DbtRuntimeError, match="`change_source: append` demands"):
        built.decide(config)


def test_another_comment_is_another_view(built: House) -> None:
    """The marker in the storage is the fingerprint of the view as last put up."""
    marker = built.decide().facade.fingerprint
    properties = {**built.decide().target.table.properties, FACADE: "another"}
    fields = (("a", "integer"), ("b", "string"), ("__trickle_count", "long"))
    built.storage.commit("SET TBLPROPERTIES", metadata(fields=fields, table_id="m", **properties))

    decision = built.decide()

    assert decision.facade.fingerprint == marker
    assert decision.plan.action is Action.NO_DATA
    assert puts_view(decision.plan)


def test_a_session_that_reads_no_files(built: House) -> None:
    """The stored rows are then read through the table, which is slower and the same."""
    whole = {"mode": "Overwrite", "partitionBy": "[]"}
    built.storage.commit("WRITE", remove("m-1"), built.storage.add("w.parquet"), operationParameters=whole)
    paths = built.decide().target.paths
    built.capabilities = Capabilities(reads_files=False)

    assert [Path(path).name for path in paths] == ["w.parquet"]
    assert built.decide().target.paths == ()


def test_two_columns_of_one_name() -> None:
    """Spark allows them in a SELECT, a table does not."""
    with pytest.raises(InvalidView, match="two columns are called A"):
        output_schema([("a", "int"), ("A", "int")])


def test_a_column_that_no_table_can_hold() -> None:
    """Delta would say so in other words, and only when something has been written."""
    with pytest.raises(InvalidView, match="the column a has the type interval day, which Delta stores in no table"):
        output_schema([("a", "interval day")])


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (RAISED, "stored_rows_differ"),
        (Failure("TASK_WRITE_FAILED", "58030", "", causes=(RAISED,)), "stored_rows_differ"),
        (Failure(USER_RAISED, "P0001", "", {"errorMessage": "the user's own"}), "bad_value"),
        (Failure("DIVIDE_BY_ZERO", "22012", "Division by zero."), "bad_value"),
        (Failure("CAST_INVALID_INPUT", "22018", "The value 'x' cannot be cast."), "bad_value"),
        (Failure("SCALAR_SUBQUERY_TOO_MANY_ROWS", "21000", ""), "bad_value"),
        (Failure("UNSUPPORTED_DATATYPE", "0A000", "dbt-trickle [rows_run_out]: SQLSTATE: 22012"), None),
    ],
)
def test_only_a_foreseen_failure_has_another_way(built: House, failure: Failure, reason: str | None) -> None:
    """Stored rows that disagree with a change are computed anew, and the stamp says so; any other failure is one."""
    built.source.append("f2")
    refresh = refresh_of(built.decide({"refresh_mode": "incremental"}))
    before = refresh.plan
    assert before.stamp is not None and before.action is not Action.FULL

    following = refresh.instead(failure)

    assert (following is not None) == (reason is not None)
    if following is None:
        return
    after = following.plan
    assert after.stamp is not None
    assert (after.action, after.reason.code) == (Action.FULL, reason)
    assert (after.stamp.action, after.stamp.reason) == ("FULL", reason)
    estimated = after.stamp.extra[ESTIMATED]
    assert estimated != before.stamp.extra[ESTIMATED], "each plan is estimated for what it does"
    said = {**before.stamp.extra, MESSAGE: after.reason.sentence(), ESTIMATED: estimated}
    assert (after.stamp.refresh, after.stamp.extra) == (before.stamp.refresh, said)
