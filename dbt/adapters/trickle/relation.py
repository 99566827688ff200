"""A table or view of the embedded warehouse, as dbt represents it."""

from __future__ import annotations

from dataclasses import dataclass

from dbt.adapters.spark.relation import SparkRelation


@dataclass(frozen=True, eq=False, repr=False)
class TrickleRelation(SparkRelation):
    """A Spark relation, as a type of its own that dbt uses for this adapter."""
