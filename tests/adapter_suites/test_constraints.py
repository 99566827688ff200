"""Contracts with Spark's types; NOT NULL as Delta enforces it.

The suites that compare the whole CREATE statement are left out: Spark's has no column list, because a table
made AS SELECT takes its columns from the query; constraints are added by ALTER TABLE afterwards.
"""

from __future__ import annotations

import pytest
from dbt.tests.adapter.constraints import fixtures
from dbt.tests.adapter.constraints import test_constraints as suite

pytestmark = [pytest.mark.spark, pytest.mark.conformance]


class SparkTypes:
    @pytest.fixture
    def string_type(self) -> str:
        return "string"

    @pytest.fixture
    def int_type(self) -> str:
        return "int"

    @pytest.fixture
    def schema_string_type(self) -> str:
        return "string"

    @pytest.fixture
    def schema_int_type(self) -> str:
        return "int"

    @pytest.fixture
    def data_types(self) -> list[list[str]]:
        return [
            ["1", "int", "int"],
            ["'1'", "string", "string"],
            ["true", "boolean", "boolean"],
            ["date '2013-11-03'", "date", "date"],
            ["timestamp '2013-11-03 00:00:00-07:00'", "timestamp", "timestamp"],
            ["array('a', 'b', 'c')", "array<string>", "array<string>"],
            ["cast(1.5 as decimal(10, 2))", "decimal(10,2)", "decimal(10,2)"],
            ["struct(1 as a)", "struct<a:int>", "struct<a:int>"],
        ]


SCHEMA = fixtures.model_schema_yml.replace("data_type: text", "data_type: string")


class TestTableColumnsEqual(SparkTypes, suite.BaseTableConstraintsColumnsEqual):
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "my_model_wrong_order.sql": fixtures.my_model_wrong_order_sql,
            "my_model_wrong_name.sql": fixtures.my_model_wrong_name_sql,
            "constraints_schema.yml": SCHEMA,
        }


class TestViewColumnsEqual(SparkTypes, suite.BaseViewConstraintsColumnsEqual):
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "my_model_wrong_order.sql": fixtures.my_model_view_wrong_order_sql,
            "my_model_wrong_name.sql": fixtures.my_model_view_wrong_name_sql,
            "constraints_schema.yml": SCHEMA,
        }


class TestIncrementalColumnsEqual(SparkTypes, suite.BaseIncrementalConstraintsColumnsEqual):
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "my_model_wrong_order.sql": fixtures.my_model_incremental_wrong_order_sql,
            "my_model_wrong_name.sql": fixtures.my_model_incremental_wrong_name_sql,
            "constraints_schema.yml": SCHEMA,
        }
