"""UNION ALL and UNION: branches by position, each cast to the common type so that a missing branch changes nothing."""

from __future__ import annotations

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.lower.session import Ctes, Lowered, Session
from trickle.operators import Distinct, Project, UnionAll
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import UNKNOWN
from trickle.plan.types import widest
from trickle.reasons import reason
from trickle.sql.build import cast, column
from trickle.sql.parse import position_of


def lower_union(tree: exp.Union, session: Session, ctes: Ctes) -> Lowered:
    """The names are the first branch's; UNION without ALL also removes duplicates."""
    branches = [session.lower_query(side, session, ctes) for side in (tree.this, tree.expression)]
    first, second = branches
    if len(first.columns) != len(second.columns):
        message = f"the branches of UNION have {len(first.columns)} and {len(second.columns)} columns"
        raise InvalidView(message, position_of(tree.expression, session.text))
    names = tuple((name, session.names.fresh(internal)) for name, internal in first.columns)
    types = [_common_type(place, branches, name, tree, session) for place, (name, _) in enumerate(names)]
    inputs = tuple(_branch(branch, [internal for _, internal in names], types) for branch in branches)
    op: Op = UnionAll(inputs)
    return Lowered(Distinct(op) if tree.args.get("distinct") else op, names)


def _type(branch: Lowered, place: int) -> str:
    return branch.op.schema.type_of(branch.columns[place][1])


def _common_type(place: int, branches: list[Lowered], name: str, tree: exp.Union, session: Session) -> str:
    """The type both branches are cast to; UNKNOWN when both are surely the same and no cast is needed."""
    types = [_type(branch, place) for branch in branches]
    if types[0] == types[1] and types[0] != UNKNOWN:
        return UNKNOWN
    if UNKNOWN in types and _same_expression(place, branches):
        return UNKNOWN
    common = widest(types)
    if common in (UNKNOWN, "void"):
        raise Unsupported([reason("union_types", position_of(tree.expression, session.text), what=name)])
    return common


def _same_expression(place: int, branches: list[Lowered]) -> bool:
    """Whether both branches compute the column by the same text, whatever its type may be."""
    texts = []
    for branch in branches:
        if not isinstance(branch.op, Project):
            return False
        value = next(item.value for item in branch.op.items if item.name == branch.columns[place][1])
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
