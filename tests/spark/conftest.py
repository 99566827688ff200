"""One warehouse for each module of stream-table tests, and a fresh project and schema for each test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from dbt.adapters.trickle.embedded import warehouse
from tests.spark.dbt_project import Project

SCHEMAS = count(1)


@pytest.fixture(scope="module")
def warehouse_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield tmp_path_factory.mktemp("warehouse")
    warehouse.close()


@pytest.fixture
def shop(warehouse_folder: Path, tmp_path: Path) -> Project:
    """Three orders in a Delta table, a stream table over them, and one over that."""
    project = Project(tmp_path, f"shop{next(SCHEMAS)}", warehouse_folder)
    project.set_up()
    project.sql(
        "create schema {s}",
        "create table {s}.raw_orders (id int, customer string, amount int) using delta",
        "insert into {s}.raw_orders values (1, 'ann', 10), (2, 'bob', 20), (3, 'ann', 5)",
    )
    project.write(
        "models/schema.yml",
        "sources: [{name: raw, schema: '{{ target.schema }}', tables: [{name: raw_orders}]}]\n"
        "models:\n"
        "  - {name: orders, data_tests: [stream_table_exact]}\n"
        "  - {name: totals, data_tests: [stream_table_exact]}\n",
    )
    source = "{{ source('raw', 'raw_orders') }}"
    project.model("orders", f"select id, upper(customer) as customer, amount from {source}")
    project.model(
        "totals",
        "select customer, sum(amount) as total, count(*) as n from {{ ref('orders') }} group by customer",
    )
    return project
