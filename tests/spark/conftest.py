"""A fresh project and schema for each test of stream tables."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from tests.spark.dbt_project import Project

SCHEMAS = count(1)


@pytest.fixture
def shop(shared_warehouse: Path, tmp_path: Path) -> Project:
    """Three orders in a Delta table, a stream table over them, and one over that."""
    project = Project(tmp_path, f"shop{next(SCHEMAS)}", shared_warehouse)
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
