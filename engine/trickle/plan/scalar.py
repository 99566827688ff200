"""A scalar expression over the columns of its operator's inputs. It owns its tree, which is never mutated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from sqlglot import exp

from trickle.sql.build import all_of, column, conjuncts, substitute
from trickle.sql.text import to_line


@dataclass(frozen=True)
class Scalar:
    """A frozen wrapper of a sqlglot tree whose columns are unqualified input names."""

    tree: exp.Expr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scalar) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    @cached_property
    def text(self) -> str:
        """One line of Spark SQL, by which scalars are compared."""
        return to_line(self.tree)

    @cached_property
    def columns(self) -> frozenset[str]:
        """The input columns it reads."""
        return frozenset(node.name for node in self.tree.find_all(exp.Column))

    @cached_property
    def column_name(self) -> str | None:
        """The column's name if the expression is a single column."""
        return self.tree.name if isinstance(self.tree, exp.Column) else None

    @cached_property
    def parts(self) -> tuple[Scalar, ...]:
        """As a condition, those that must all hold: a AND (b AND c) → a, b, c."""
        return tuple(map(Scalar, conjuncts(self.tree)))

    def over(self, values: Mapping[str, Scalar]) -> Scalar:
        """The same expression with its columns replaced by other expressions."""
        return Scalar(substitute(self.tree, {name: values[name].tree for name in self.columns}))

    def tree_copy(self) -> exp.Expr:
        """A copy of the tree for a query to own."""
        return self.tree.copy()


def column_scalar(name: str) -> Scalar:
    """A scalar of one column."""
    return Scalar(column(name))


def parts_of(condition: Optional[Scalar]) -> tuple[Scalar, ...]:
    """The conditions that must all hold; none where there is no condition."""
    return () if condition is None else condition.parts


def all_hold(parts: Iterable[Scalar]) -> Optional[Scalar]:
    """The condition that all of these hold; None where there are none."""
    tree = all_of(part.tree_copy() for part in parts)
    return None if tree is None else Scalar(tree)


@dataclass(frozen=True)
class Named:
    """A scalar with its name in the operator's output."""

    name: str
    value: Scalar

    def renamed(self, name: str) -> Named:
        return Named(name, self.value)
