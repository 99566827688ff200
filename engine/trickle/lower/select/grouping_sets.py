"""GROUPING SETS, ROLLUP, CUBE: every row belongs to several groupings, so it is repeated once for each.

Each copy has the number of its grouping, an additional key: it distinguishes a NULL value from a NULL for a key that
the grouping does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from sqlglot import exp

from trickle.lower.session import Session
from trickle.operators import Explode
from trickle.operators.explode import GENERATED_PREFIX
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import Column
from trickle.sql.build import call, case, cast, column, integer
from trickle.sql.text import to_line

Bind = Callable[[exp.Expr], exp.Expr]
Set = tuple[exp.Expr, ...]


@dataclass(frozen=True)
class GroupingSets:
    """The groupings of one GROUP BY, each with its keys."""

    keys: tuple[exp.Expr, ...]
    """All distinct keys, in the order of the text."""
    sets: tuple[frozenset[int], ...]
    """The indexes of each grouping's keys."""
    number: str
    """The column of the grouping's number."""

    def rows(self, op: Op) -> Op:
        """Each row repeated for each grouping."""
        numbers = exp.Array(expressions=[integer(index) for index in range(len(self.sets))])
        return Explode(op, Scalar(call("EXPLODE", numbers)), (Column(self.number, "int"),), outer=False)

    def grouped_by(self, names: Sequence[str]) -> tuple[Named, ...]:
        """The keys of the single plan grouping: NULL where a grouping does not have a key."""
        own = [
            Named(name, Scalar(case(self._in_sets_with(index), tree.copy(), exp.Null())))
            for index, (name, tree) in enumerate(zip(names, self.keys))
        ]
        return (*own, Named(self.number, Scalar(column(self.number))))

    def bits(self, requested: Sequence[exp.Expr]) -> exp.Expr:
        """GROUPING_ID: one bit per requested key, the first leftmost, 1 where the grouping does not have it."""
        texts = [to_line(tree) for tree in self.keys]
        indexes = [texts.index(to_line(tree)) for tree in requested] if requested else list(range(len(self.keys)))
        values = [int("".join(str(int(index not in element)) for index in indexes) or "0", 2) for element in self.sets]
        cases = [
            exp.If(this=exp.EQ(this=column(self.number), expression=integer(number)), true=integer(value))
            for number, value in enumerate(values)
        ]
        return exp.Case(ifs=cases)

    def _in_sets_with(self, index: int) -> exp.Expr:
        having = [integer(number) for number, element in enumerate(self.sets) if index in element]
        return exp.In(this=column(self.number), expressions=having)

    def has(self, requested: Sequence[exp.Expr]) -> bool:
        """Whether all requested expressions are keys."""
        return {to_line(tree) for tree in requested} <= {to_line(tree) for tree in self.keys}

    def value_of(self, node: exp.Expr, name: str) -> exp.Expr:
        """GROUPING(key) and GROUPING_ID(keys) as expressions over the number."""
        return cast(self.bits(node.expressions), "tinyint" if name == "grouping" else "bigint")


def grouping_sets(group: exp.Group, bind: Bind, session: Session) -> GroupingSets | None:
    """The grouping sets of a GROUP BY; None where it has none."""
    plain = [
        bind(element)
        for element in group.expressions
        if not isinstance(element, (exp.Rollup, exp.Cube, exp.GroupingSets))
    ]
    written = [_sets(element, bind) for element in group.expressions if isinstance(element, (exp.Rollup, exp.Cube))]
    written += [_sets(element, bind) for element in group.expressions if isinstance(element, exp.GroupingSets)]
    if group.args.get("rollup"):
        sets = _prefixes([(tree,) for tree in plain])
    elif group.args.get("cube"):
        sets = _subsets([(tree,) for tree in plain])
    elif group.args.get("grouping_sets"):
        sets = [element for part in group.args["grouping_sets"] for element in _sets(part, bind)]
    elif written:
        sets = [(*plain, *(tree for part in parts for tree in part)) for parts in product(*written)]
    else:
        return None
    keys = {to_line(tree): tree for tree in [*plain, *(tree for element in sets for tree in element)]}
    indexes = {text: index for index, text in enumerate(keys)}
    numbered = tuple(frozenset(indexes[to_line(tree)] for tree in element) for element in sets)
    return GroupingSets(tuple(keys.values()), numbered, session.names.fresh(f"{GENERATED_PREFIX}grouping"))


def _sets(node: exp.Expr, bind: Bind) -> list[Set]:
    match node:
        case exp.Rollup():
            return _prefixes([_composite(part, bind) for part in node.expressions])
        case exp.Cube():
            return _subsets([_composite(part, bind) for part in node.expressions])
        case exp.GroupingSets():
            return [element for part in node.expressions for element in _sets(part, bind)]
        case _:
            return [_composite(node, bind)]


def _composite(node: exp.Expr, bind: Bind) -> Set:
    """The expressions of one element: (a, b) is one."""
    while isinstance(node, exp.Paren):
        node = node.this
    return tuple(bind(part) for part in node.expressions) if isinstance(node, exp.Tuple) else (bind(node),)


def _prefixes(parts: Sequence[Set]) -> list[Set]:
    return [_joined(parts[:length]) for length in range(len(parts), -1, -1)]


def _subsets(parts: Sequence[Set]) -> list[Set]:
    return [_joined(some) for length in range(len(parts), -1, -1) for some in combinations(parts, length)]


def _joined(parts: Sequence[Set]) -> Set:
    return tuple(tree for part in parts for tree in part)
