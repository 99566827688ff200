"""FROM: tables, views, CTEs and derived tables, joined from left to right."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from trickle.catalog.frontier import dotted
from trickle.catalog.tables import StreamTable, Table, View
from trickle.errors import InternalError, InvalidView, Reason, Unsupported
from trickle.lower.names.scope import Scope, Visible
from trickle.lower.select.counted import RANGE, lower_range
from trickle.lower.select.expressions import Binder
from trickle.lower.session import Ctes, Lowered, Session
from trickle.lower.sources.generators import generates_from_one_row, lower_lateral_view
from trickle.lower.sources.inline import inline_view
from trickle.lower.sources.joins import Placed, lower_join
from trickle.lower.sources.laterals import is_always, lower_lateral
from trickle.lower.sources.pivot import lower_pivot
from trickle.lower.sources.recursion import lower_recursion, names_itself
from trickle.lower.sources.unpivot import lower_unpivot
from trickle.lower.sources.values import lower_values, one_row
from trickle.lower.subqueries.subqueries import keep_rows
from trickle.operators import Project, Scan, SourceColumn
from trickle.plan.scalar import Named, column_scalar
from trickle.reasons import reason
from trickle.sql.parse import position_of
from trickle.sql.references import name_of
from trickle.sql.text import function_name, to_line


def lower_from(select: exp.Select, session: Session, ctes: Ctes) -> Placed:
    """The FROM clause as one plan and what it shows."""
    clause = select.args["from_"]
    op, scope = _joined(_relation(clause.this, session, ctes), select.args.get("joins") or [], session, ctes)
    # The parser hangs a LATERAL VIEW on the last table before it; it sees everything that was joined.
    tables = [clause.this, *(join.this for join in select.args.get("joins") or [])]
    views = [view for table in tables for view in table.args.get("laterals") or []]
    for view in [*views, *(select.args.get("laterals") or [])]:
        binder = Binder(scope, session, ctes)
        op, scope = lower_lateral_view(op, scope, view, binder, bool(view.args.get("outer")))
    return op, scope


def _joined(placed: Placed, joins: list[exp.Join], session: Session, ctes: Ctes) -> Placed:
    for join in joins:
        if isinstance(join.this, exp.Lateral):
            placed = _lateral(placed, join, session, ctes)
        else:
            placed = lower_join(placed, join, _relation(join.this, session, ctes), session, ctes)
        placed = _pivoted(placed, join, session, ctes)
    return placed


def _pivoted(placed: Placed, node: exp.Expr, session: Session, ctes: Ctes) -> Placed:
    """After a join, PIVOT and UNPIVOT turn all that was joined."""
    for pivot in node.args.get("pivots") or []:
        binder = Binder(placed[1], session, ctes)
        placed = (lower_unpivot if pivot.args.get("unpivot") else lower_pivot)(placed, pivot, binder)
    return placed


def _lateral(placed: Placed, join: exp.Join, session: Session, ctes: Ctes) -> Placed:
    """LATERAL sees the relations before it, as a subquery sees the query around it."""
    op, scope = placed
    binder = Binder(scope, session, ctes)
    on = join.args.get("on")
    if join.side == "LEFT" and on is None and generates_from_one_row(join.this.this):
        shown = to_line(join.this.this)
        raise Unsupported([reason("left_lateral_without_on", position_of(join.this, session.text), what=shown)])
    if isinstance(join.this.this, exp.Subquery):
        inner = session.lower_query(join.this.this, replace(session, outer=scope), ctes)
        return lower_lateral(op, scope, inner, join, binder)
    if on is None or is_always(on):
        return lower_lateral_view(op, scope, join.this, binder, outer=join.side == "LEFT")
    if join.side != "LEFT":
        op, both = lower_lateral_view(op, scope, join.this, binder, outer=False)
        return keep_rows(op, Binder(both, session, ctes).bind(on), session), both
    # A row all of whose made rows the condition refuses is kept, too: the made rows are what a subquery would give.
    made = exp.Table(this=join.this.this.copy(), alias=join.this.args["alias"].copy())
    everything = exp.Select(expressions=[exp.Star()]).from_(made, copy=False)
    inner = session.lower_query(everything, replace(session, outer=scope), ctes)
    return lower_lateral(op, scope, inner, join, binder)


def _relation(node: exp.Expr, session: Session, ctes: Ctes) -> Placed:
    match node:
        case exp.Table():
            placed = _table(node, session, ctes)
        case exp.Subquery() if isinstance(node.this, exp.Query):
            inner = session.lower_query(node.this, session, _with_clause(node, session, ctes))
            placed = _aliased(inner, node, session, ())
        case exp.Subquery() | exp.Paren():
            placed = _relation(node.this, session, ctes)
            if node.alias:
                placed = placed[0], placed[1].renamed((node.alias,))
        case exp.Values():
            placed = _aliased(lower_values(node, session), node, session, ())
        case exp.Lateral():
            placed = _lateral((one_row(session), Scope(())), exp.Join(this=node), session, ctes)
        case _:
            kind = type(node).__name__.upper()
            raise Unsupported([reason("table_function", position_of(node, session.text), what=kind)])
    placed = _pivoted(placed, node, session, ctes)
    return _joined(placed, node.args.get("joins") or [], session, ctes)


def _with_clause(node: exp.Subquery, session: Session, ctes: Ctes) -> Ctes:
    clause = node.args.get("with_")
    return ctes if clause is None else lower_ctes(clause, session, ctes)


def lower_ctes(clause: exp.With, session: Session, ctes: Ctes) -> Ctes:
    """Each CTE is lowered once; every mention of it shares the plan."""
    known = dict(ctes)
    for cte in clause.expressions:
        if clause.args.get("recursive") and names_itself(cte):
            known[cte.alias.lower()] = lower_recursion(cte, session, known)
            continue
        lowered = session.lower_query(cte.this, session, known)
        known[cte.alias.lower()] = _renamed_columns(lowered, cte, session)
    return known


def _table(node: exp.Table, session: Session, ctes: Ctes) -> Placed:
    if not node.db and node.name.lower() in ctes:
        return _shared(ctes[node.name.lower()], node, session)
    if function_name(node.this) == RANGE:
        return _aliased(lower_range(node, session), node, session, (RANGE,))
    if isinstance(node.this, exp.Func):
        return _made(node, session, ctes)
    name = name_of(node)
    if name not in session.facts.relations:
        raise InternalError(f"nobody was asked what {dotted(name)} is")
    relation = session.facts.relations[name]
    position = position_of(node, session.text)
    match relation:
        case None:
            raise InvalidView(f"there is no table or view {dotted(name)}", position)
        case View():
            return _aliased(inline_view(relation, session), node, session, relation.name)
        case Table(versioned=False, because=Reason() as why):
            raise Unsupported([replace(why, position=position)])
        case Table(versioned=False):
            raise Unsupported([reason("not_versioned", position, what=dotted(name))])
        case Table() | StreamTable():
            return _scan(node, relation, session)


def _made(node: exp.Table, session: Session, ctes: Ctes) -> Placed:
    """FROM EXPLODE(…): rows made of nothing but constants."""
    op = one_row(session)
    view = exp.Lateral(this=node.this.copy(), alias=node.args.get("alias"))
    op, scope = lower_lateral_view(op, Scope(()), view, Binder(Scope(()), session, ctes), outer=False)
    return op, scope


def _scan(node: exp.Table, relation: Table | StreamTable, session: Session) -> Placed:
    key = dotted(relation.name)
    alias = node.alias or relation.name[-1]
    columns = tuple(
        SourceColumn(own.name, session.names.fresh(f"{alias}_{own.name}"), own.type) for own in relation.columns
    )
    scan = Scan(key, alias, columns)
    lowered = Lowered(scan, tuple((own.source, own.name) for own in columns))
    return _aliased(lowered, node, session, relation.name)


def _shared(lowered: Lowered, node: exp.Table, session: Session) -> Placed:
    """A mention of a CTE: the shared plan under names of its own, so that it can be joined to itself."""
    fresh = tuple((name, session.names.fresh(internal)) for name, internal in lowered.columns)
    items = tuple(Named(new, column_scalar(old)) for (_, new), (_, old) in zip(fresh, lowered.columns))
    return _aliased(Lowered(Project(lowered.op, items), fresh), node, session, (node.name,))


def _aliased(lowered: Lowered, node: exp.Expr, session: Session, own_name: tuple[str, ...]) -> Placed:
    """What a relation shows under its alias, or under its own name when it has none."""
    lowered = _renamed_columns(lowered, node, session)
    qualifier = (node.alias,) if node.alias else own_name
    if not node.alias and len(own_name) == 2:
        qualifier = ("spark_catalog", *own_name)
    types = {column.name: column.type for column in lowered.op.schema}
    visible = (Visible(qualifier, name, internal, types[internal]) for name, internal in lowered.columns)
    return lowered.op, Scope(tuple(visible))


def _renamed_columns(lowered: Lowered, node: exp.Expr, session: Session) -> Lowered:
    """Apply a column list: `t(a, b)` or `WITH t(a, b) AS`."""
    alias = node.args.get("alias")
    wanted = [part.name for part in alias.args.get("columns") or []] if isinstance(alias, exp.TableAlias) else []
    if not wanted:
        return lowered
    if len(wanted) != len(lowered.columns):
        position = position_of(alias, session.text) if alias else None
        raise InvalidView(f"the column list has {len(wanted)} names for {len(lowered.columns)} columns", position)
    return replace(lowered, columns=tuple((name, internal) for name, (_, internal) in zip(wanted, lowered.columns)))
