"""UNION, INTERSECT and EXCEPT, each with ALL or without: branches by position, each cast to the common type.

UNION [ALL]       the rows of both branches, without ALL each row once
INTERSECT, EXCEPT a grouping of both branches' rows that counts each row per side
"""

from __future__ import annotations

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.functions.operands import refuses_pair
from trickle.lower.refusals.type_mismatches import refuse_equality
from trickle.lower.select.requested_types import types_of
from trickle.lower.session import Ctes, Lowered, Session
from trickle.operators import Aggregate, Distinct, Explode, Filter, Project, UnionAll
from trickle.operators.explode import GENERATED_PREFIX
from trickle.plan.expression_types import type_of
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import UNKNOWN, Column
from trickle.reasons import reason
from trickle.sql.build import call, case, cast, column, integer, operand
from trickle.sql.parse import position_of
from trickle.types import is_castable, parse_type, type_text, widest

LEFT, RIGHT = "in_left", "in_right"


def lower_set_operation(tree: exp.SetOperation, session: Session, ctes: Ctes) -> Lowered:
    """A set operation with the first branch's column names; without ALL, each row once."""
    if tree.args.get("by_name"):
        raise InvalidView(
            f"Spark SQL has no {type(tree).__name__.upper()} BY NAME",
            position_of(tree.expression, session.text),
            "Name the columns of both branches in one order.",
        )
    branches = [session.lower_query(side, session, ctes) for side in (tree.this, tree.expression)]
    first, second = branches
    if len(first.columns) != len(second.columns):
        message = (
            f"the branches of {type(tree).__name__.upper()} have {len(first.columns)} and {len(second.columns)} columns"
        )
        raise InvalidView(message, position_of(tree.expression, session.text))
    names = tuple((name, session.names.fresh(internal)) for name, internal in first.columns)
    if tree.args.get("distinct") or not isinstance(tree, exp.Union):
        word = type(tree).__name__.upper()
        refuse_equality(first.op, [name for _, name in first.columns], word, tree.expression, session)
    types = [_common_type(index, branches, name, tree, session) for index, (name, _) in enumerate(names)]
    inputs = tuple(_branch(branch, [internal for _, internal in names], types) for branch in branches)
    if not isinstance(tree, exp.Union):
        return Lowered(_counted_rows(inputs, tree, session), names)
    op: Op = UnionAll(inputs)
    return Lowered(Distinct(op) if tree.args.get("distinct") else op, names)


def _counted_rows(inputs: tuple[Op, ...], tree: exp.SetOperation, session: Session) -> Op:
    """Each distinct row with its count on either side, repeated as the operation requires."""
    columns = tuple(Named(name, column_scalar(name)) for name in inputs[0].schema.names)
    flags = [session.names.fresh(name) for name in (LEFT, RIGHT)]
    marked = [
        Project(branch, (*columns, *(Named(flag, Scalar(_flag(flag == own))) for flag in flags)))
        for branch, own in zip(inputs, flags)
    ]
    left, right = (session.names.fresh("count") for _ in flags)
    counts = tuple(Named(name, Scalar(exp.Sum(this=column(flag)))) for name, flag in zip((left, right), flags))
    counted = Aggregate(UnionAll(tuple(marked)), columns, counts)
    if tree.args.get("distinct"):
        here = exp.GT(this=column(left), expression=integer(0))
        there = (exp.GT if isinstance(tree, exp.Intersect) else exp.EQ)(this=column(right), expression=integer(0))
        return Project(Filter(counted, Scalar(exp.And(this=here, expression=there))), columns)
    times: exp.Expr = exp.Sub(this=column(left), expression=column(right))
    if isinstance(tree, exp.Intersect):
        times = case(exp.LT(this=column(left), expression=column(right)), column(left), column(right))
    copy_column = Column(session.names.fresh(f"{GENERATED_PREFIX}copy"), "bigint")
    repeated_rows = Filter(counted, Scalar(exp.GT(this=operand(times), expression=integer(0))))
    return Project(Explode(repeated_rows, Scalar(repeated(times)), (copy_column,), outer=False), columns)


def _flag(own: bool) -> exp.Expr:
    return integer(1 if own else 0)


def repeated(times: exp.Expr) -> exp.Expr:
    """A generator that repeats a row `times` times."""
    return call("EXPLODE", call("SEQUENCE", cast(integer(1), "bigint"), cast(times.copy(), "bigint")))


def _type(branch: Lowered, index: int, session: Session) -> str:
    """What a column holds; inside a subquery it may be computed from the row around it."""
    internal = branch.columns[index][1]
    known = branch.op.schema.type_of(internal)
    if known != UNKNOWN or session.outer is None or not isinstance(branch.op, Project):
        return known
    value = next(item.value for item in branch.op.items if item.name == internal)
    return type_of(
        value.tree,
        {
            **session.outer.types(),
            **{schema_column.name: schema_column.type for schema_column in branch.op.child.schema},
        },
    )


def _common_type(index: int, branches: list[Lowered], name: str, tree: exp.SetOperation, session: Session) -> str:
    """The type both branches are cast to; UNKNOWN when both are the same and no cast is needed."""
    types = [_type(branch, index, session) for branch in branches]
    if types[0] == types[1] and types[0] != UNKNOWN:
        return UNKNOWN
    if UNKNOWN in types and _same_expression(index, branches):
        return UNKNOWN
    left, right = (parse_type(kind) for kind in types)
    if refuses_pair("Union", left, right):
        message = f"the branches have no type in common for column {name}: {types[0].upper()} and {types[1].upper()}"
        session.note(tree.expression, message, "CAST both to one type.")
    common = widest([left, right])
    if not is_castable(common) and (answered := types_of(tree, session)) is not None:
        common = parse_type(answered[index])
    if not is_castable(common):
        code = "union_type_unknown" if UNKNOWN in types else "union_types"
        raise Unsupported([reason(code, position_of(tree.expression, session.text), what=name)])
    return type_text(common)


def _same_expression(index: int, branches: list[Lowered]) -> bool:
    """Whether both branches compute the column by the same constant expression, whatever its type."""
    texts = []
    for branch in branches:
        if not isinstance(branch.op, Project):
            return False
        value = next(item.value for item in branch.op.items if item.name == branch.columns[index][1])
        if value.columns:
            return False
        texts.append(value.text)
    return texts[0] == texts[1]


def _branch(branch: Lowered, names: list[str], types: list[str]) -> Op:
    items = []
    for (_, internal), name, wanted in zip(branch.columns, names, types):
        own = branch.op.schema.type_of(internal)
        needs_cast = wanted != UNKNOWN and own != wanted
        items.append(Named(name, Scalar(cast(column(internal), wanted)) if needs_cast else column_scalar(internal)))
    return Project(branch.op, tuple(items))
