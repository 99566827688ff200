"""Lowers a parsed query to operators, clause by clause in SQL's evaluation order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional

from sqlglot import exp

from trickle.errors import InvalidView, Position, Unsupported
from trickle.functions.operands import cannot_be_ordered_by
from trickle.lower.names.scope import Scope, Visible
from trickle.lower.names.stars import columns_of_star, fields_of_star, is_star
from trickle.lower.refusals.type_mismatches import refuse_equality
from trickle.lower.select.expressions import Binder, has_aggregate
from trickle.lower.select.grouping import lower_grouping, written_aliases
from trickle.lower.select.ordering import Limits, items_of, limits, ordering, ordinal, top_of
from trickle.lower.select.set_operations import lower_set_operation
from trickle.lower.session import Ctes, Lowered, Session
from trickle.lower.sources.generators import GeneratedColumns, generated_columns, is_generator
from trickle.lower.sources.relations import lower_ctes, lower_from
from trickle.lower.sources.values import lower_values, one_row
from trickle.lower.subqueries.subqueries import Mark, attach, keep_rows
from trickle.lower.windows.time_windows import with_time_window
from trickle.lower.windows.windows import lower_windows
from trickle.operators import Distinct, Filter, Project
from trickle.plan.expression_types import expression_type
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.reasons import reason
from trickle.sql.build import column
from trickle.sql.dialect import PathOf
from trickle.sql.parse import position_of
from trickle.sql.text import to_line
from trickle.types import type_text

Names = tuple[tuple[str, str], ...]
"""Visible name and internal column of each item."""

QUALIFY = "QUALIFY"
GENERATED_NAME = "GENERATED"


@dataclass(frozen=True)
class Item:
    """One column of a SELECT list: visible name and bound expression. ORDER BY and QUALIFY add hidden items."""

    name: str
    tree: exp.Expr
    order: Optional[exp.Ordered] = None
    """Set for an item of ORDER BY."""
    shown: bool = True
    """Whether it is an item of the SELECT list."""
    generated: Optional[GeneratedColumns] = None
    """Set for a generator, which becomes one or several columns."""

    @property
    def text(self) -> str:
        """Its expression as text, without outer parentheses."""
        return to_line(self.tree.unnest())


def lower_query(tree: exp.Expr, session: Session, ctes: Ctes) -> Lowered:
    """Lowers a query that passed the refusals."""
    while isinstance(tree, exp.Subquery) and isinstance(tree.this, (exp.Query, exp.Values)):
        if (clause := tree.args.get("with_")) is not None:
            ctes = lower_ctes(clause, session, ctes)
        tree = tree.this
    if (clause := tree.args.get("with_")) is not None:
        ctes = lower_ctes(clause, session, ctes)
    if isinstance(tree, exp.SetOperation):
        lowered = lower_set_operation(tree, session, ctes)
        wanted = limits(tree, session)
        return lowered if wanted is None else _limited_set_operation(lowered, tree, wanted, session)
    if isinstance(tree, exp.Select):
        return _lower_select(tree, session, ctes)
    if isinstance(tree, exp.Values):
        return lower_values(tree, session)
    raise Unsupported([reason("clause", position_of(tree, session.text), what=type(tree).__name__.upper())])


def _lower_select(select: exp.Select, session: Session, ctes: Ctes) -> Lowered:
    op, scope = lower_from(select, session, ctes) if select.args.get("from_") else (one_row(session), Scope(()))
    binder = Binder(scope, session, ctes)
    if (where := select.args.get("where")) is not None:
        if has_aggregate(where):
            raise InvalidView("an aggregate cannot stand in WHERE", position_of(where, session.text), "Use HAVING.")
        op = keep_rows(op, binder.condition(where.this, "WHERE"), session)
    op, select, binder = with_time_window(op, select, binder)
    items = select_items(select, binder, op)
    if not items:
        raise InvalidView("the SELECT list names no column", binder.position(select))
    if (qualify := select.args.get("qualify")) is not None:
        # As an item it is lowered through grouping and windows like the others.
        condition = binder.with_aliases(written_aliases(select, items)).condition(qualify.this, "QUALIFY")
        items.append(Item(QUALIFY, condition, shown=False))
    if (wanted := limits(select, session)) is not None:
        shown = len(items) - (qualify is not None)
        items = [*items[:shown], *_order_items(select, items[:shown], binder), *items[shown:]]
    if _is_grouped(select, items):
        op, items = lower_grouping(op, select, items, binder, session)
    op = attach(op, [item.tree for item in items], session)
    op, trees = lower_windows(op, [item.tree for item in items], session)
    items = [replace(item, tree=tree) for item, tree in zip(items, trees)]
    if qualify is not None:
        op = Filter(op, Scalar(items.pop().tree))
    op, items = _generate_rows(op, items)
    ordered, items = [item for item in items if item.order], [item for item in items if not item.order]
    hidden = [item for item in ordered if _index_of(item, items) is None]
    op, named = _project(op, [*items, *hidden], session)
    distinct = select.args.get("distinct")
    if distinct is not None:
        if distinct.args.get("on"):
            raise Unsupported([reason("clause", position_of(distinct, session.text), what="DISTINCT ON")])
        refuse_equality(op, [name for _, name in named[: len(items)]], "SELECT DISTINCT", select, session)
        op = _distinct(op, named, items, hidden, position_of(select, session.text))
    if wanted is not None:
        indexes = [index if (index := _index_of(item, items)) is not None else -1 for item in ordered]
        hidden_indexes = iter(range(len(items), len(named)))
        columns = [named[index if index >= 0 else next(hidden_indexes)][1] for index in indexes]
        op = top_of(op, [ordering(item.order, name) for item, name in zip(ordered, columns) if item.order], wanted)
    return Lowered(op, named[: len(items)])


def _distinct(op: Op, named: Names, items: list[Item], hidden: list[Item], position: Optional[Position]) -> Op:
    """Each shown row once. ORDER BY can use the shown columns only: no other columns are left."""
    if not hidden:
        return Distinct(op)
    shown = tuple(Named(internal, column_scalar(internal)) for _, internal in named[: len(items)])
    texts = {item.text: computed_item.name for item, computed_item in zip(items, shown)}

    def over_shown(node: exp.Expr) -> exp.Expr:
        internal = texts.get(to_line(node))
        return node if internal is None else column(internal)

    computed = tuple(
        Named(internal, Scalar(item.tree.transform(over_shown)))
        for item, (_, internal) in zip(hidden, named[len(items) :])
    )
    if any(not computed_item.value.columns <= set(texts.values()) for computed_item in computed):
        raise InvalidView("ORDER BY names something SELECT DISTINCT does not show", position)
    return Project(Distinct(Project(op, shown)), (*shown, *computed))


def _limited_set_operation(lowered: Lowered, tree: exp.SetOperation, wanted: Limits, session: Session) -> Lowered:
    """ORDER BY … LIMIT over a set operation: by its columns, their ordinals, or expressions over them."""
    types = {schema_column.name: schema_column.type for schema_column in lowered.op.schema}
    visible = (Visible((), name, internal, types[internal]) for name, internal in lowered.columns)
    binder = Binder(Scope(tuple(visible)), replace(session, outer=None), {})
    computed: list[Named] = []
    order = []
    names = {name.lower() for name, _ in lowered.columns}
    for item in items_of(tree, len(lowered.columns), "all" in names):
        index = ordinal(item, len(lowered.columns), session)
        bound = binder.bind(item.this) if index is None else column(lowered.columns[index][1])
        if not isinstance(bound, exp.Column):
            computed.append(Named(session.names.fresh("ordered"), Scalar(bound)))
            bound = column(computed[-1].name)
        order.append(ordering(item, bound.name))
    shown = tuple(Named(internal, column_scalar(internal)) for _, internal in lowered.columns)
    op = Project(lowered.op, (*shown, *computed)) if computed else lowered.op
    return replace(lowered, op=top_of(op, order, wanted))


def _index_of(item: Item, items: list[Item]) -> Optional[int]:
    """The index of the SELECT item equal to an ORDER BY item; None without one."""
    return next((index for index, candidate in enumerate(items) if candidate.text == item.text), None)


def _order_items(select: exp.Select, items: list[Item], binder: Binder) -> list[Item]:
    """ORDER BY as items: each an ordinal, an alias of the SELECT list, or an expression over FROM."""
    shown = [shown_item for item in items for shown_item in _columns_of(item)]
    aliases = {item.name.lower(): item.tree for item in shown}
    generated = {
        shown_item.name.lower(): shown_item.tree
        for item in items
        if item.generated is not None
        for shown_item in _columns_of(item)
    }
    order_items: list[Item] = []
    has_all = "all" in aliases or binder.scope.resolve(["all"], None) is not None
    for item in items_of(select, len(shown), has_all):
        index = ordinal(item, len(shown), binder.session)
        tree = item.this
        if index is not None:
            bound = shown[index].tree.copy()
        elif isinstance(tree, exp.Column) and len(tree.parts) == 1 and tree.name.lower() in aliases:
            bound = aliases[tree.name.lower()].copy()
        else:
            bound = binder.with_aliases({**generated, **written_aliases(select, items)}).bind(tree)
            _refuse_in_order(bound, items, item, binder)
        kind = expression_type(bound, binder.types)
        if cannot_be_ordered_by(kind):
            binder.session.note(item, f"nothing can be put in order by a {type_text(kind).upper()}")
        order_items.append(Item("ordered", bound, order=item, shown=False))
    return order_items


def _refuse_in_order(bound: exp.Expr, items: list[Item], item: exp.Ordered, binder: Binder) -> None:
    """Spark orders by uncorrelated scalar subqueries only."""
    session = binder.session
    outer = set() if session.outer is None else {visible.internal for visible in session.outer.columns}
    shown = {node.name for shown_item in items for node in shown_item.tree.find_all(exp.Column)}
    named = {node.name for node in bound.find_all(exp.Column)}
    subqueries = [session.pending[name] for name in named - shown if name in session.pending]
    if named & outer or any(isinstance(pending, Mark) or pending.needs() for pending in subqueries):
        message = "ORDER BY cannot ask IN, EXISTS or a subquery that names columns of the query around it"
        raise InvalidView(message, binder.position(item), "Give it an alias in the SELECT list and order by that.")


def _generate_rows(op: Op, items: list[Item]) -> tuple[Op, list[Item]]:
    """EXPLODE in a SELECT list: its rows are generated last, and its columns take its position."""
    for item in items:
        if item.generated is not None:
            op = item.generated.over(op, item.tree)
    return op, [generated_item for item in items for generated_item in _columns_of(item)]


def _columns_of(item: Item) -> list[Item]:
    """The item itself, or the columns of a generator."""
    if item.generated is None:
        return [item]
    return [Item(name, column(own.name)) for name, own in zip(item.generated.names, item.generated.columns)]


def _is_grouped(select: exp.Select, items: list[Item]) -> bool:
    return bool(select.args.get("group") or select.args.get("having")) or any(
        has_aggregate(item.tree) for item in items
    )


def _project(op: Op, items: list[Item], session: Session) -> tuple[Op, Names]:
    named = tuple((item.name, session.names.fresh(item.name)) for item in items)
    project = Project(op, tuple(Named(internal, Scalar(item.tree)) for (_, internal), item in zip(named, items)))
    return project, named


def select_items(select: exp.Select, binder: Binder, op: Op) -> list[Item]:
    """The SELECT list over `op`, stars expanded, aliases of earlier items usable in later ones."""
    items: list[Item] = []
    aliases: dict[str, exp.Expr] = {}
    for expression in select.expressions:
        if is_star(expression):
            items += _starred(expression, binder)
            continue
        if is_generator(expression.unalias()) or isinstance(expression, exp.Aliases):
            generated = _generated_columns(expression, binder.with_aliases(aliases), op)
            items.append(Item(GENERATED_NAME, generated.generator, generated=generated))
            continue
        bound = binder.with_aliases(aliases).bind(expression.unalias())
        name = expression.alias or _natural_name(expression)
        items.append(Item(name, bound))
        if expression.alias:
            aliases[expression.alias.lower()] = bound
    return items


def _starred(star: exp.Expr, binder: Binder) -> list[Item]:
    position = binder.position(star)
    fields = fields_of_star(star, binder.scope, position)
    shown = [] if fields else columns_of_star(star, binder.scope, position)
    return [Item(name, tree) for name, tree in fields] + [
        Item(visible.name, column(visible.internal)) for visible in shown
    ]


def _generated_columns(expression: exp.Expr, binder: Binder, op: Op) -> GeneratedColumns:
    """EXPLODE(…) AS a, or POSEXPLODE(…) AS (a, b)."""
    if isinstance(expression, exp.Aliases):
        return generated_columns(expression.this, [part.name for part in expression.expressions], binder, op)
    return generated_columns(expression.unalias(), [expression.alias] if expression.alias else [], binder, op)


def _natural_name(expression: exp.Expr) -> str:
    """Spark names a bare column by its last part; other names are placeholders until the adapter asks Spark."""
    expression = expression.unnest()
    match expression:
        case exp.Column():
            return expression.name
        case exp.Dot():
            return str(expression.expression.name)
        case exp.Cast() if isinstance(expression.this, (exp.Column, PathOf)):
            return _natural_name(expression.this)
        case PathOf():
            return expression.last_key or to_line(expression)
        case _:
            return to_line(expression)
