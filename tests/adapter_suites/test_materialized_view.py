"""The suites for materialized views, with stream tables in their place.

A stream table is maintained by `dbt run` alone, and what it did is read from its action rather than from the log lines
other adapters write.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from dbt.tests.adapter.materialized_view import files
from dbt.tests.adapter.materialized_view.basic import MaterializedViewBasic
from dbt.tests.adapter.materialized_view.changes import (
    MaterializedViewChanges,
    MaterializedViewChangesApplyMixin,
    MaterializedViewChangesContinueMixin,
    MaterializedViewChangesFailMixin,
)
from dbt.tests.util import get_model_file, run_dbt, set_model_file

pytestmark = [pytest.mark.spark, pytest.mark.conformance]

STREAM_TABLE = files.MY_MATERIALIZED_VIEW.replace("materialized_view", "stream_table")


def action(*words: str, expect_pass: bool = True) -> dict[str, Any]:
    """What `dbt run` of the one selected model answered."""
    (result,) = run_dbt(["run", *words], expect_pass=expect_pass).results
    return {**result.adapter_response, "message": str(result.message)}


def stored_as(project: Any, relation: Any) -> str | None:
    """`materialized_view` for a stream table: a view, with storage of its own behind it."""
    with project.adapter.connection_named("__stored_as"):
        project.adapter.cache.clear()
        listed = {one.identifier: str(one.type) for one in project.adapter.list_relations(None, project.test_schema)}
        stands = project.adapter.trickle_is_active(relation)
    behind = f"{relation.identifier}__trickle"
    assert (behind in listed) == stands, "storage without a stream table, or the other way round"
    return "materialized_view" if stands else listed.get(relation.identifier)


def swap(project: Any, relation: Any, was: str, becomes: str) -> None:
    text = get_model_file(project, relation)
    assert f"materialized='{was}'" in text
    set_model_file(project, relation, text.replace(f"materialized='{was}'", f"materialized='{becomes}'"))


class TestBasic(MaterializedViewBasic):
    @pytest.fixture(scope="class", autouse=True)
    def models(self) -> Iterator[dict[str, str]]:
        yield {
            "my_table.sql": files.MY_TABLE,
            "my_view.sql": files.MY_VIEW,
            "my_materialized_view.sql": STREAM_TABLE,
        }

    @staticmethod
    def insert_record(project: Any, table: Any, record: tuple[int, int]) -> None:
        project.run_sql(f"insert into {table} values {record}")

    @staticmethod
    def refresh_materialized_view(project: Any, materialized_view: Any) -> None:
        run_dbt(["run", "--models", materialized_view.identifier])

    @staticmethod
    def query_row_count(project: Any, relation: Any) -> int:
        return int(project.run_sql(f"select count(*) from {relation}", fetch="one")[0])

    @staticmethod
    def query_relation_type(project: Any, relation: Any) -> str | None:
        return stored_as(project, relation)

    @staticmethod
    def swap_table_to_materialized_view(project: Any, table: Any) -> None:
        swap(project, table, "table", "stream_table")

    @staticmethod
    def swap_view_to_materialized_view(project: Any, view: Any) -> None:
        swap(project, view, "view", "stream_table")

    @staticmethod
    def swap_materialized_view_to_table(project: Any, materialized_view: Any) -> None:
        swap(project, materialized_view, "stream_table", "table")

    @staticmethod
    def swap_materialized_view_to_view(project: Any, materialized_view: Any) -> None:
        swap(project, materialized_view, "stream_table", "view")

    def test_materialized_view_full_refresh(self, project: Any, my_materialized_view: Any) -> None:
        """`--full-refresh` builds it anew and says so."""
        assert action("-s", "my_materialized_view", "--full-refresh")["reason_code"] == "full_refresh"
        assert self.query_relation_type(project, my_materialized_view) == "materialized_view"


class Changes(MaterializedViewChanges):
    """Table properties are altered in place; another partitioning builds the table anew."""

    ALTERED = "materialized='stream_table', tblproperties={'shop.owner': 'ann'}"
    RELAID = "materialized='stream_table', tblproperties={'shop.owner': 'ann'}, partition_by='id'"

    @pytest.fixture(scope="class", autouse=True)
    def models(self) -> Iterator[dict[str, str]]:
        yield {"my_materialized_view.sql": STREAM_TABLE}

    @staticmethod
    def query_relation_type(project: Any, relation: Any) -> str | None:
        return stored_as(project, relation)

    @classmethod
    def change_config_via_alter(cls, project: Any, materialized_view: Any) -> None:
        text = get_model_file(project, materialized_view)
        set_model_file(project, materialized_view, text.replace("materialized='stream_table'", cls.ALTERED))

    @classmethod
    def change_config_via_replace(cls, project: Any, materialized_view: Any) -> None:
        text = get_model_file(project, materialized_view)
        set_model_file(project, materialized_view, text.replace(cls.ALTERED, cls.RELAID))

    @staticmethod
    def details(project: Any, relation: Any) -> tuple[Any, Any]:
        """The user's property, and the partitioning."""
        storage = f"{relation.schema}.{relation.identifier}__trickle"
        detail = project.run_sql(f"describe detail {storage}", fetch="one")
        partitions, properties = detail[7], detail[11]
        return dict(properties).get("shop.owner"), list(partitions)

    @classmethod
    def check_start_state(cls, project: Any, materialized_view: Any) -> None:
        assert cls.details(project, materialized_view) == (None, [])

    @classmethod
    def check_state_alter_change_is_applied(cls, project: Any, materialized_view: Any) -> None:
        assert cls.details(project, materialized_view)[0] == "ann"

    @classmethod
    def check_state_replace_change_is_applied(cls, project: Any, materialized_view: Any) -> None:
        assert cls.details(project, materialized_view)[1] == ["id"]

    def test_full_refresh_occurs_with_changes(self, project: Any, my_materialized_view: Any) -> None:
        """One rebuild takes in every change."""
        self.change_config_via_alter(project, my_materialized_view)
        self.change_config_via_replace(project, my_materialized_view)
        assert action("-s", "my_materialized_view", "--full-refresh")["reason_code"] == "full_refresh"
        assert self.details(project, my_materialized_view) == ("ann", ["id"])


class TestChangesApply(Changes, MaterializedViewChangesApplyMixin):
    def test_change_is_applied_via_alter(self, project: Any, my_materialized_view: Any) -> None:
        """An ALTER, and no row is touched."""
        self.check_start_state(project, my_materialized_view)
        self.change_config_via_alter(project, my_materialized_view)
        assert action("-s", "my_materialized_view")["action"] == "NO_DATA"
        self.check_state_alter_change_is_applied(project, my_materialized_view)

    def test_change_is_applied_via_replace(self, project: Any, my_materialized_view: Any) -> None:
        """A rebuild, which takes in the smaller change as well."""
        self.check_start_state(project, my_materialized_view)
        self.change_config_via_alter(project, my_materialized_view)
        self.change_config_via_replace(project, my_materialized_view)
        answer = action("-s", "my_materialized_view")
        assert (answer["action"], answer["reason_code"]) == ("REINITIALIZE", "layout_changed")
        self.check_state_alter_change_is_applied(project, my_materialized_view)
        self.check_state_replace_change_is_applied(project, my_materialized_view)


class TestChangesContinue(Changes, MaterializedViewChangesContinueMixin):
    """The suite's own tests: dbt's sentence of warning, and the object left as it is."""

    def test_it_is_refreshed_all_the_same(self, project: Any, my_materialized_view: Any) -> None:
        """What is left out is the change, not the refresh."""
        self.change_config_via_alter(project, my_materialized_view)
        project.run_sql(f"insert into {project.test_schema}.my_seed values (99, 990)")
        answer = action("-s", "my_materialized_view")
        assert answer["action"] in ("APPEND", "INCREMENTAL")
        assert any("`shop.owner`" in note for note in answer["notes"])
        self.check_start_state(project, my_materialized_view)


class TestChangesFail(Changes, MaterializedViewChangesFailMixin):
    def test_change_is_not_applied_via_alter(self, project: Any, my_materialized_view: Any) -> None:
        """The model fails in a sentence that names what changed, and nothing is altered."""
        self.check_start_state(project, my_materialized_view)
        self.change_config_via_alter(project, my_materialized_view)
        told = action("-s", "my_materialized_view", expect_pass=False)["message"]
        assert "`shop.owner`" in told and "`on_configuration_change: fail` forbids" in told
        self.check_start_state(project, my_materialized_view)

    def test_change_is_not_applied_via_replace(self, project: Any, my_materialized_view: Any) -> None:
        """As little as an ALTER is a rebuild done."""
        self.check_start_state(project, my_materialized_view)
        self.change_config_via_alter(project, my_materialized_view)
        self.change_config_via_replace(project, my_materialized_view)
        told = action("-s", "my_materialized_view", expect_pass=False)["message"]
        assert "`partition_by` changed" in told and "`on_configuration_change: fail` forbids" in told
        self.check_start_state(project, my_materialized_view)
