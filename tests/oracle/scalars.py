"""What a scalar expression means for one row, by SQL's three-valued logic: None is NULL, and UNKNOWN."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Optional

from sqlglot import exp

from tests.oracle.zset import Value

Values = Mapping[str, Value]
Call = Callable[[exp.Expr], Value]
"""Answers what an aggregate call is worth; absent where a single row is looked at."""


def evaluate(tree: exp.Expr, row: Values, call: Optional[Call] = None) -> Value:
    """The value of `tree` where its columns have the values of `row`."""

    def value(part: exp.Expr) -> Value:
        return evaluate(part, row, call)

    match tree:
        case exp.Filter() | exp.AggFunc() | exp.Anonymous() if call is not None:
            return call(tree)
        case exp.Column():
            return row[tree.name]
        case exp.Paren() | exp.Alias() | exp.Cast():
            # What is cast has the type already: NULLs that are written need one.
            return value(tree.this)
        case exp.Null():
            return None
        case exp.Boolean():
            return bool(tree.this)
        case exp.Literal():
            return _literal(tree)
        case exp.Neg():
            return _strictly(lambda number: -number, value(tree.this))
        case exp.Add() | exp.Sub() | exp.Mul():
            return _arithmetic(tree, value(tree.left), value(tree.right))
        case exp.Coalesce():
            return next((found for part in (tree.this, *tree.expressions) if (found := value(part)) is not None), None)
        case exp.Case():
            return _case(tree, value)
        case exp.Dot():
            return _field(value(tree.this), tree.expression.name)
        case exp.Anonymous(this="NAMED_STRUCT"):
            return tuple(value(part) for part in tree.expressions)  # type: ignore[return-value]
        case exp.If():
            otherwise = tree.args.get("false")
            return value(tree.args["true"]) if value(tree.this) is True else value(otherwise) if otherwise else None
        case _:
            return truth(tree, value)


def truth(tree: exp.Expr, value: Callable[[exp.Expr], Value]) -> Optional[bool]:
    """A predicate: True, False or UNKNOWN."""
    match tree:
        case exp.And():
            return both(_boolean(value(tree.left)), _boolean(value(tree.right)))
        case exp.Or():
            return negation(both(negation(_boolean(value(tree.left))), negation(_boolean(value(tree.right)))))
        case exp.Not():
            return negation(_boolean(value(tree.this)))
        case exp.Is():
            wanted = value(tree.expression)
            return value(tree.this) is wanted
        case exp.NullSafeEQ():
            return value(tree.left) == value(tree.right)
        case exp.NullSafeNEQ():
            return value(tree.left) != value(tree.right)
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            return compare(type(tree), value(tree.left), value(tree.right))
        case exp.Between():
            low = compare(exp.GTE, value(tree.this), value(tree.args["low"]))
            return both(low, compare(exp.LTE, value(tree.this), value(tree.args["high"])))
        case exp.In():
            return _among(value(tree.this), [value(item) for item in tree.expressions])
        case _:
            raise NotImplementedError(f"the oracle does not know {type(tree).__name__}: {tree.sql()}")


def both(left: Optional[bool], right: Optional[bool]) -> Optional[bool]:
    """AND: one False decides, else one UNKNOWN does."""
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def negation(condition: Optional[bool]) -> Optional[bool]:
    return None if condition is None else not condition


def compare(how: type[exp.Expr], left: Value, right: Value) -> Optional[bool]:
    """A comparison; UNKNOWN when a side is NULL."""
    if left is None or right is None:
        return None
    answers: dict[type[exp.Expr], Callable[[], bool]] = {
        exp.EQ: lambda: left == right,
        exp.NEQ: lambda: left != right,
        exp.LT: lambda: left < right,  # type: ignore[operator]
        exp.LTE: lambda: left <= right,  # type: ignore[operator]
        exp.GT: lambda: left > right,  # type: ignore[operator]
        exp.GTE: lambda: left >= right,  # type: ignore[operator]
    }
    return answers[how]()


def _among(value: Value, items: list[Value]) -> Optional[bool]:
    """IN: the disjunction of equalities, so that a NULL among the items makes a miss UNKNOWN."""
    answers = [compare(exp.EQ, value, item) for item in items]
    if True in answers:
        return True
    return None if None in answers else False


def _boolean(value: Value) -> Optional[bool]:
    if value is None or isinstance(value, bool):
        return value
    raise TypeError(f"{value!r} stands where a condition must stand")


def _literal(tree: exp.Literal) -> Value:
    text = str(tree.this)
    if tree.is_string:
        return text
    return Decimal(text) if "." in text else int(text)


def _strictly(operation: Callable[..., Value], *operands: Value) -> Value:
    """NULL in, NULL out."""
    return None if None in operands else operation(*operands)


def _arithmetic(tree: exp.Expr, left: Value, right: Value) -> Value:
    match tree:
        case exp.Add():
            return _strictly(lambda first, second: first + second, left, right)
        case exp.Sub():
            return _strictly(lambda first, second: first - second, left, right)
        case _:
            return _strictly(lambda first, second: first * second, left, right)


def _field(struct: object, name: str) -> Value:
    """A struct is a tuple of names and values in turn."""
    if struct is None:
        return None
    assert isinstance(struct, tuple)
    return struct[struct.index(name) + 1]  # type: ignore[no-any-return]


def _case(tree: exp.Case, value: Callable[[exp.Expr], Value]) -> Value:
    """The first branch that holds; `CASE x WHEN y` holds where x = y."""
    operand = tree.args.get("this")
    for branch in tree.args["ifs"]:
        holds = value(branch.this) if operand is None else compare(exp.EQ, value(operand), value(branch.this))
        if holds is True:
            return value(branch.args["true"])
    default = tree.args.get("default")
    return value(default) if default else None
