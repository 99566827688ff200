"""lower: a parsed query to operators, clause by clause in SQL's own order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.lower.expressions import Binder, has_aggregate
from trickle.lower.grouping import lower_grouping
from trickle.lower.relations import lower_ctes, lower_from
from trickle.lower.scope import Scope
from trickle.lower.session import Ctes, Lowered, Session
from trickle.lower.set_operations import lower_union
from trickle.lower.subqueries import attach, keep_rows
from trickle.lower.windows import lower_windows
from trickle.operators import Distinct, Filter, Project, Values
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.plan.schema import Column
from trickle.reasons import reason
from trickle.sql.build import column, integer
from trickle.sql.parse import position_of
from trickle.sql.text import to_line

QUALIFY = "QUALIFY"


@dataclass(frozen=True)
class Item:
    """One column of a SELECT list: its visible name and its bound expression."""

    name: str
    tree: exp.Expr


def lower_query(tree: exp.Query, session: Session, ctes: Ctes) -> Lowered:
    """Any query the refusals let through."""
    while isinstance(tree, exp.Subquery) and isinstance(tree.this, exp.Query):
        if (clause := tree.args.get("with_")) is not None:
            ctes = lower_ctes(clause, session, ctes)
        tree = tree.this
    if (clause := tree.args.get("with_")) is not None:
        ctes = lower_ctes(clause, session, ctes)
    if isinstance(tree, exp.Union):
        return lower_union(tree, session, ctes)
    if isinstance(tree, exp.Select):
        return _lower_select(tree, session, ctes)
    raise Unsupported([reason("clause", position_of(tree, session.text), what=type(tree).__name__.upper())])


def _lower_select(select: exp.Select, session: Session, ctes: Ctes) -> Lowered:
    op, scope = lower_from(select, session, ctes) if select.args.get("from_") else _one_row(session)
    binder = Binder(scope, session, ctes)
    if (where := select.args.get("where")) is not None:
        if has_aggregate(where):
            raise InvalidView("an aggregate cannot stand in WHERE", position_of(where, session.text), "Use HAVING.")
        op = keep_rows(op, binder.bind(where.this), session)
    items = select_items(select, binder)
    if (qualify := select.args.get("qualify")) is not None:
        # Beside the items it goes through grouping and windows as they do.
        items.append(Item(QUALIFY, binder.with_aliases(_written_aliases(select, items)).bind(qualify.this)))
    if _is_grouped(select, items):
        op, items = lower_grouping(op, select, items, binder, session)
    op = attach(op, [item.tree for item in items], session)
    op, trees = lower_windows(op, [item.tree for item in items], session)
    items = [replace(item, tree=tree) for item, tree in zip(items, trees)]
    if qualify is not None:
        op = Filter(op, Scalar(items.pop().tree))
    op, lowered = _project(op, items, session)
    distinct = select.args.get("distinct")
    if distinct is not None:
        if distinct.args.get("on"):
            raise Unsupported([reason("clause", position_of(distinct, session.text), what="DISTINCT ON")])
        op = Distinct(op)
    return Lowered(op, lowered)


def _written_aliases(select: exp.Select, items: list[Item]) -> dict[str, exp.Expr]:
    written = {expression.alias.lower() for expression in select.expressions if expression.alias}
    return {item.name.lower(): item.tree for item in items if item.name.lower() in written}


def _is_grouped(select: exp.Select, items: list[Item]) -> bool:
    return bool(select.args.get("group") or select.args.get("having")) or any(
        has_aggregate(item.tree) for item in items
    )


def _one_row(session: Session) -> tuple[Op, Scope]:
    """SELECT without FROM: one row of nothing."""
    name = session.names.fresh("one_row")
    return Values((Column(name, "int"),), ((Scalar(integer(1)),),)), Scope(())


def _project(op: Op, items: list[Item], session: Session) -> tuple[Op, tuple[tuple[str, str], ...]]:
    named = tuple((item.name, session.names.fresh(item.name)) for item in items)
    project = Project(op, tuple(Named(internal, Scalar(item.tree)) for (_, internal), item in zip(named, items)))
    return project, named


def select_items(select: exp.Select, binder: Binder) -> list[Item]:
    """The SELECT list, stars expanded, aliases of earlier items usable in later ones."""
    items: list[Item] = []
    aliases: dict[str, exp.Expr] = {}
    for expression in select.expressions:
        if _is_star(expression):
            items += _star(expression, binder)
            continue
        bound = binder.with_aliases(aliases).bind(expression.unalias())
        name = expression.alias or _natural_name(expression)
        items.append(Item(name, bound))
        if expression.alias:
            aliases[expression.alias.lower()] = bound
    return items


def _is_star(expression: exp.Expr) -> bool:
    return isinstance(expression, exp.Star) or (
        isinstance(expression, exp.Column) and isinstance(expression.this, exp.Star)
    )


def _star(expression: exp.Expr, binder: Binder) -> list[Item]:
    place = binder.place(expression)
    star = expression if isinstance(expression, exp.Star) else expression.this
    if star.args.get("replace") or star.args.get("rename"):
        raise Unsupported([reason("clause", place, what="* REPLACE")])
    qualifier = [part.name for part in expression.parts[:-1]] if isinstance(expression, exp.Column) else []
    columns = binder.scope.star(qualifier, place)
    except_names = {part.name.lower() for part in star.args.get("except_") or star.args.get("except") or []}
    unknown = except_names - {one.name.lower() for one in columns}
    if unknown:
        raise InvalidView(f"* EXCEPT names a column that is not there: {', '.join(sorted(unknown))}", place)
    return [Item(one.name, column(one.internal)) for one in columns if one.name.lower() not in except_names]


def _natural_name(expression: exp.Expr) -> str:
    """Spark names a bare column by its last part; for the rest the adapter asks Spark, and this is a stand-in."""
    if isinstance(expression, (exp.Column, exp.Dot)):
        return expression.name if isinstance(expression, exp.Column) else expression.expression.name
    return to_line(expression)
