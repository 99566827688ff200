"""What dbt knows of a table or view in the embedded warehouse."""

from __future__ import annotations

from dataclasses import dataclass

from dbt.adapters.spark.relation import SparkRelation


@dataclass(frozen=True, eq=False, repr=False)
class TrickleRelation(SparkRelation):
    """A Spark relation; the type of its own keeps room for what stream tables must remember."""
