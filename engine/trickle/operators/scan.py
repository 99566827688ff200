"""Scan and Feed: a source at one of the two moments, and its change between them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import ClassVar

from trickle.plan.op import Linearity, Op
from trickle.plan.schema import Column, Schema


class Moment(Enum):
    """The moments before and after a refresh."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True)
class SourceColumn:
    """A column of a source and the name it has in the plan."""

    source: str
    name: str
    type: str = ""


@dataclass(frozen=True, eq=False)
class Scan(Op):
    """SELECT columns FROM source, as it was at one moment. Its change is the source's Feed, or Empty."""

    source: str
    alias: str
    columns: tuple[SourceColumn, ...]
    at: Moment = Moment.AFTER
    linearity: ClassVar[Linearity] = Linearity.LEAF

    @cached_property
    def schema(self) -> Schema:
        return _schema(self.columns)

    @property
    def signed(self) -> bool:
        return False


@dataclass(frozen=True, eq=False)
class Feed(Op):
    """The rows a source gained (+) and lost (−) between the two moments, not necessarily consolidated."""

    source: str
    alias: str
    columns: tuple[SourceColumn, ...]
    only_inserts: bool
    linearity: ClassVar[Linearity] = Linearity.LEAF

    @cached_property
    def schema(self) -> Schema:
        return _schema(self.columns)

    @property
    def signed(self) -> bool:
        return True


def _schema(columns: tuple[SourceColumn, ...]) -> Schema:
    return Schema(tuple(Column(column.name, column.type) for column in columns))
