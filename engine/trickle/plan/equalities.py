"""Equalities: the conditions of a join that set an expression of one side equal to one of the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Optional

from sqlglot import exp

from trickle.plan.scalar import Scalar
from trickle.plan.schema import Schema


@dataclass(frozen=True)
class Equality:
    """mine = other, or mine <=> other, which NULL fulfils as well."""

    mine: Scalar
    other: Scalar
    null_safe: bool

    @property
    def turned(self) -> Equality:
        return Equality(self.other, self.mine, self.null_safe)


@dataclass(frozen=True)
class EqualColumns:
    """An equality of plain columns."""

    mine: str
    other: str
    null_safe: bool


def equality(part: Scalar) -> Optional[Equality]:
    """The condition as an equality, its sides as they are written; None where it is none."""
    tree = part.tree
    if not isinstance(tree, (exp.EQ, exp.NullSafeEQ)):
        return None
    return Equality(Scalar(tree.left), Scalar(tree.right), isinstance(tree, exp.NullSafeEQ))


def columns_of(pair: Equality) -> Optional[EqualColumns]:
    """The columns that it sets equal; None where it compares anything else."""
    mine, other = pair.mine.column_name, pair.other.column_name
    return None if mine is None or other is None else EqualColumns(mine, other, pair.null_safe)


def equalities(parts: Iterable[Scalar], mine: Schema, other: Schema) -> list[Equality]:
    """Those of the conditions that are equalities between the two sides, whichever side is written first."""
    every = (pair for pair in map(equality, parts) if pair is not None)
    turned = (_turned(pair, mine, other) for pair in every)
    return [pair for pair in turned if pair is not None]


def equal_columns(parts: Iterable[Scalar], mine: Schema, other: Schema) -> list[EqualColumns]:
    """Those that are equalities between a column of the one side and a column of the other."""
    every = map(columns_of, equalities(parts, mine, other))
    return [pair for pair in every if pair is not None]


def _turned(pair: Equality, mine: Schema, other: Schema) -> Optional[Equality]:
    """The equality with our side first; None where it is not one between these two."""
    either = (pair, pair.turned)
    return next((turned for turned in either if _is_over(turned.mine, mine) and _is_over(turned.other, other)), None)


def _is_over(value: Scalar, side: Schema) -> bool:
    """Whether the value is computed of this side's columns, and of no others."""
    return bool(value.columns) and all(name in side for name in value.columns)
