"""GROUP BY and HAVING: the keys in all their forms, and aggregate calls lifted out of expressions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Optional

from sqlglot import exp

from trickle.errors import InvalidView, Unsupported
from trickle.functions import Role, facts_of
from trickle.lower.select.expressions import Binder, has_aggregate, is_measure
from trickle.lower.select.grouping_sets import GroupingSets, grouping_sets
from trickle.lower.select.having import with_outer_values
from trickle.lower.select.order_below import refuse_incomparable
from trickle.lower.session import Session
from trickle.lower.subqueries.subqueries import Mark, attach, keep_rows
from trickle.operators import Aggregate
from trickle.plan.expression_types import expression_type
from trickle.plan.make_deterministic import called
from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar
from trickle.reasons import reason
from trickle.sql.build import column, operand
from trickle.sql.parse import position_of
from trickle.sql.text import function_name, to_line
from trickle.types import has_equality, has_variant, type_text

if TYPE_CHECKING:
    from trickle.lower.select.query import Item


@dataclass
class Lifting:
    """The keys and measures of one grouping, and the replacement of both inside expressions over it."""

    keys: list[Named]
    session: Session
    sets: Optional[GroupingSets] = None
    measures: dict[str, Named] = field(default_factory=dict)

    def lift(self, tree: exp.Expr) -> exp.Expr:
        """The expression over the grouping's output: keys and aggregate calls become its columns."""
        by_text = {_text_without_parentheses(key.value.tree): key.name for key in self.keys}

        def visit(node: exp.Expr) -> exp.Expr:
            # An item of ORDER BY prints like its key where it has no NULLS FIRST.
            column_name = None if isinstance(node, exp.Ordered) else by_text.get(_text_without_parentheses(node))
            if column_name is not None:
                return column(column_name)
            if isinstance(node, exp.Column) and node.name in self.session.pending:
                self.session.pending[node.name] = self.session.pending[node.name].over(visit)
                return node.copy()
            name = function_name(node)
            if facts_of(name).role is Role.GROUPING:
                return self._grouping(node, name)
            if is_measure(node):
                return column(self._measure(node).name)
            rebuilt = node.copy()
            for name, value in list(node.args.items()):
                if isinstance(value, exp.Expr):
                    rebuilt.set(name, visit(value))
                elif isinstance(value, list):
                    rebuilt.set(name, [visit(part) if isinstance(part, exp.Expr) else part for part in value])
            return rebuilt

        return visit(tree)

    def _grouping(self, node: exp.Expr, name: str) -> exp.Expr:
        position = position_of(node, self.session.text)
        if self.sets is None:
            raise InvalidView(f"{name}() says nothing without GROUPING SETS, ROLLUP or CUBE", position)
        if not self.sets.has(node.expressions):
            raise InvalidView(f"{name}() asks of what the GROUP BY does not name", position)
        return self.sets.value_of(node, name)

    def _measure(self, call: exp.Expr) -> Named:
        text = to_line(call)
        if text not in self.measures:
            name = self.session.names.fresh(_measure_name(call))
            self.measures[text] = Named(name, Scalar(call.copy()))
        return self.measures[text]


def lower_grouping(
    op: Op, select: exp.Select, items: list[Item], binder: Binder, session: Session
) -> tuple[Op, list[Item]]:
    """The grouping, the HAVING filter over it, and the SELECT list over its output."""
    keys, sets = _keys(select, items, binder, session)
    lifting = Lifting(keys, session, sets)
    lifted = [replace(item, tree=lifting.lift(item.tree)) for item in items]
    having = select.args.get("having")
    condition: Optional[exp.Expr] = None
    if having is not None:
        outer_values = with_outer_values(having.this, lifted, binder, lifting.lift)
        condition = lifting.lift(_bind_having(outer_values.tree, items, select, outer_values.binder, lifting))
    if having is not None and not keys and not lifting.measures:
        raise Unsupported([reason("clause", binder.position(having), what="HAVING without aggregates")])
    outputs = {key.name for key in keys} | ({sets.number} if sets else set())
    outputs |= {measure.name for measure in lifting.measures.values()}
    outputs |= {generated.name for item in items if item.generated is not None for generated in item.generated.columns}
    for original, item in zip(_written_expressions(select, items), lifted):
        _check_grouped(item.tree, outputs, keys, original, binder)
        _refuse_ungrouped_value(item.tree, original, binder)
    measures = tuple(lifting.measures.values())
    _refuse_nested(measures, select, binder)
    refuse_incomparable(measures, {schema_column.name: schema_column.type for schema_column in op.schema}, session)
    _refuse_outer_columns([item.tree for item in lifted], [*keys, *measures], select, binder)
    op = attach(op, [named.value.tree for named in (*keys, *measures)], session)
    if sets is None:
        plan: Op = Aggregate(op, tuple(keys), measures)
    else:
        plan = Aggregate(sets.rows(op), sets.grouped_by([key.name for key in keys]), measures)
    if condition is not None and having is not None:
        _check_grouped(condition, outputs, keys, having, binder)
        plan = keep_rows(plan, condition, session)
    return plan, lifted


def _keys(
    select: exp.Select, items: list[Item], binder: Binder, session: Session
) -> tuple[list[Named], Optional[GroupingSets]]:
    group = select.args.get("group")
    if group is None:
        return [], None
    sets = grouping_sets(group, lambda tree: _key(tree, items, binder, select), session)
    if sets is not None and any(sets.sets):
        trees = list(sets.keys)
    elif group.args.get("all"):
        # A constant is a key too, as in Spark: over an empty input there is no group, hence no row.
        trees = [item.tree for item in items if item.shown and not has_aggregate(item.tree)]
    else:
        # GROUPING SETS (()) is a grouping without keys, with a row for an empty input.
        trees = [] if sets else [_key(expression, items, binder, select) for expression in group.expressions]
        sets = None
    distinct = {_text_without_parentheses(tree): tree for tree in trees}
    for tree in distinct.values():
        if has_aggregate(tree):
            raise InvalidView("an aggregate cannot be a GROUP BY key", binder.position(group))
        kind = expression_type(tree, binder.scope.types())
        if not has_equality(kind):
            text = type_text(kind)
            if has_variant(kind):
                session.note(group, f"Spark groups by no {text.upper()}", "Group by TO_JSON(…) of it.")
            raise Unsupported([reason("unmergeable_type", binder.position(group), what=f"{to_line(tree)[:80]} {text}")])
    return [Named(session.names.fresh(_key_name(tree)), Scalar(tree)) for tree in distinct.values()], sets


def _key(expression: exp.Expr, items: list[Item], binder: Binder, select: exp.Select) -> exp.Expr:
    """The bound tree of a GROUP BY expression: an ordinal, a column of FROM, or an alias of the SELECT list."""
    if isinstance(expression, exp.Literal) and not expression.is_string and str(expression.this).isdigit():
        ordinal = int(str(expression.this))
        if not 1 <= ordinal <= len(items):
            message = f"GROUP BY {ordinal} points past the SELECT list, which has {len(items)} columns"
            raise InvalidView(message, binder.position(expression))
        return items[ordinal - 1].tree.copy()
    return binder.with_aliases(written_aliases(select, items)).bind(expression)


def _bind_having(tree: exp.Expr, items: list[Item], select: exp.Select, binder: Binder, lifting: Lifting) -> exp.Expr:
    """HAVING, bound. A name of both a column and an alias is the column inside an aggregate and a key, else the alias.

    Over GROUPING SETS, the meaning of such a name inside a key depends on the other names of the condition.
    """
    aliases = written_aliases(select, items)
    grouped = {_text_without_parentheses(key.value.tree) for key in lifting.keys}
    whole = exp.Paren(this=tree.copy())
    for node in list(whole.walk(prune=lambda node: isinstance(node, exp.Query))):
        if not isinstance(node, exp.Column) or len(node.parts) > 1 or node.meta.get("trickle_bound"):
            continue
        alias = aliases.get(node.name.lower())
        own = None if alias is None else binder.scope.resolve([node.name], binder.position(node))
        if alias is None or own is None or to_line(own) == to_line(alias) or _is_inside_aggregate(node):
            continue
        if not _is_inside_key(node, grouped, binder):
            node.replace(operand(alias.copy()))
        elif lifting.sets is not None:
            raise Unsupported([reason("ambiguous_alias", binder.position(node), what=node.name)])
    return binder.with_aliases(aliases).condition(whole.this, "HAVING")


def _is_inside_aggregate(node: exp.Expr) -> bool:
    around: Optional[exp.Expr] = node
    while around is not None and not is_measure(around):
        around = around.parent
    return around is not None


def _is_inside_key(node: exp.Expr, grouped: set[str], binder: Binder) -> bool:
    """Whether a column of FROM is inside a key."""
    around: Optional[exp.Expr] = node
    while around is not None and around.find(exp.Query) is None:
        if _text_without_parentheses(binder.bind(around)) in grouped:
            return True
        around = around.parent
    return False


def written_aliases(select: exp.Select, items: list[Item]) -> dict[str, exp.Expr]:
    """Lower-cased alias → bound tree, for the items with an alias."""
    written = {expression.alias.lower() for expression in select.expressions if expression.alias}
    return {item.name.lower(): item.tree for item in items if item.name.lower() in written}


def _written_expressions(select: exp.Select, items: list[Item]) -> Iterator[exp.Expr]:
    """The user's expression for each item; the whole SELECT where a star makes them differ in number."""
    written = iter(select.expressions)
    aligned = len(select.expressions) == sum(item.shown for item in items)
    for item in items:
        own = item.order if item.order is not None else select.args.get("qualify")
        yield (next(written) if aligned else select) if item.shown else own or select


def _check_grouped(tree: exp.Expr, outputs: set[str], keys: list[Named], original: exp.Expr, binder: Binder) -> None:
    pending = binder.session.pending
    named = {node.name for node in tree.find_all(exp.Column)}
    # A subquery is evaluated for each group: it can name columns of the groups.
    outer_names = {name for name in named if name in pending for name in pending[name].needs()} & _scope_columns(binder)
    # Columns of the outer query are checked when conditions are pulled up.
    ungrouped = sorted(((named - pending.keys()) & _scope_columns(binder) | outer_names) - outputs)
    if not ungrouped:
        return
    position = binder.position(original)
    inside_keys = frozenset[str]().union(*(key.value.columns for key in keys)) if keys else frozenset()
    if ungrouped[0] in inside_keys:
        raise Unsupported([reason("unmatched_group_expression", position, what=to_line(original.unalias())[:80])])
    raise InvalidView(
        "a column is neither grouped by nor inside an aggregate", position, "Add it to GROUP BY or aggregate it."
    )


def _refuse_ungrouped_value(tree: exp.Expr, original: exp.Expr, binder: Binder) -> None:
    """Spark evaluates a correlated subquery for each row, not for each group, unless it is an EXISTS or IN."""
    for node in tree.find_all(exp.Column):
        pending = binder.session.pending.get(node.name)
        if pending is not None and not isinstance(pending, Mark) and pending.needs():
            raise InvalidView(
                "a correlated subquery beside groups is neither grouped by nor inside an aggregate",
                binder.position(original),
                "Add it to GROUP BY or aggregate it.",
            )


def _refuse_nested(measures: tuple[Named, ...], select: exp.Select, binder: Binder) -> None:
    for measure in measures:
        inner = called(measure.value.tree)
        if any(is_measure(node) for node in inner.walk() if node is not inner):
            raise InvalidView(
                "an aggregate stands inside an aggregate",
                binder.position(select),
                "Compute the inner one in a derived table.",
            )


def _refuse_outer_columns(items: list[exp.Expr], computed: list[Named], select: exp.Select, binder: Binder) -> None:
    """A grouping inside a subquery: Spark lets only its WHERE and HAVING name outer columns."""
    outer = binder.session.outer
    if outer is None:
        return
    named = {
        node.name for tree in (*items, *(item.value.tree for item in computed)) for node in tree.find_all(exp.Column)
    }
    if named & {item.internal for item in outer.columns}:
        raise InvalidView(
            "a subquery that groups names a column of the query around it in its SELECT list or GROUP BY",
            binder.position(select),
            "Name it in WHERE or HAVING only, or group in a derived table inside the subquery.",
        )


def _scope_columns(binder: Binder) -> set[str]:
    return {visible.internal for visible in binder.scope.columns}


def _text_without_parentheses(tree: exp.Expr) -> str:
    while isinstance(tree, exp.Paren):
        tree = tree.this
    return to_line(tree)


def _key_name(tree: exp.Expr) -> str:
    while isinstance(tree, exp.Paren):
        tree = tree.this
    return tree.name if isinstance(tree, exp.Column) else "group_key"


def _measure_name(call: exp.Expr) -> str:
    call = called(call)
    return call.name.lower() if isinstance(call, exp.Anonymous) else type(call).__name__.lower()
