"""The schema of files as Spark reads it from a text."""

from __future__ import annotations

from collections.abc import Sequence

from dbt.adapters.trickle.names import quoted
from trickle import Column


def ddl_of(columns: Sequence[Column]) -> str:
    """`id` bigint, `name` string"""
    return ", ".join(f"{quoted(own.name)} {own.type}" for own in columns)
