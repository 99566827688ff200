"""A table's definition as its log holds it: identity, columns, properties."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dbt.adapters.trickle.history.delta_files.types import simple_type
from trickle import Column

CHANGE_FEED = "delta.enableChangeDataFeed"
COLUMN_MAPPING = "delta.columnMapping.mode"
PHYSICAL_NAME = "delta.columnMapping.physicalName"


@dataclass(frozen=True)
class Metadata:
    """The `metaData` action."""

    id: str
    schema_string: str
    partition_columns: tuple[str, ...]
    properties: Mapping[str, str]
    description: str = ""

    @classmethod
    def from_action(cls, body: Mapping[str, Any]) -> Metadata:
        return cls(
            id=str(body["id"]),
            schema_string=str(body.get("schemaString") or '{"type":"struct","fields":[]}'),
            partition_columns=tuple(body.get("partitionColumns") or ()),
            properties=dict(body.get("configuration") or {}),
            description=str(body.get("description") or ""),
        )

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Names and Spark types in table order."""
        fields = json.loads(self.schema_string)["fields"]
        return tuple(Column(field["name"], simple_type(field["type"])) for field in fields)

    @cached_property
    def physical_names(self) -> tuple[str, ...]:
        """Names in the data files: column mapping lets a dropped and a new column share a visible name."""
        fields = json.loads(self.schema_string)["fields"]
        return tuple(str(field["metadata"].get(PHYSICAL_NAME, field["name"])) for field in fields)

    @property
    def named_in_files(self) -> bool:
        """Whether files hold every column under its own name: a partition is in the path, a mapped name in the log."""
        return not self.partition_columns and self.physical_names == tuple(column.name for column in self.columns)

    @property
    def column_mapping(self) -> str:
        """How columns are identified in the files: by their own names, by others, or by numbers."""
        return str(self.properties.get(COLUMN_MAPPING, "none")).lower()

    @property
    def feed(self) -> bool:
        """Whether commits made under this definition can be read as a change feed."""
        return str(self.properties.get(CHANGE_FEED, "false")).lower() == "true"

    def same_rows_as(self, other: Metadata) -> bool:
        """Whether rows written under either definition mean the same: comments and nullability do not matter."""
        return self.columns == other.columns and self.physical_names == other.physical_names
