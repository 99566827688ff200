"""WITH RECURSIVE: a CTE that reads itself, as an anchor and a step over the previous rows."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from trickle.errors import InvalidView, Position, Unsupported
from trickle.lower.session import Ctes, Lowered, Session
from trickle.operators import Explode, Filter, Join, OuterJoin, Project, Recursion, Scan, SemiJoin, UnionAll, Working
from trickle.plan.op import Op, walk
from trickle.plan.scalar import Named, Scalar, column_scalar
from trickle.plan.schema import UNKNOWN, Column, Schema
from trickle.reasons import reason
from trickle.sql.build import column, integer
from trickle.sql.dialect import LEVELS
from trickle.sql.parse import position_of

ONLY_UNION_ALL = "a CTE that reads itself must be an anchor UNION ALL a step, and only the step may read it"


def names_itself(cte: exp.CTE) -> bool:
    """Whether a CTE of WITH RECURSIVE reads itself; any other there is an ordinary CTE."""
    return any(
        table.name.lower() == cte.alias.lower() and not table.args.get("db") for table in cte.this.find_all(exp.Table)
    )


def lower_recursion(cte: exp.CTE, session: Session, ctes: Ctes) -> Lowered:
    """The recursion of a CTE. Its columns have the anchor's types, as in Spark."""
    union = cte.this
    position = position_of(cte.args["alias"], session.text)
    union_all = isinstance(union, exp.Union) and not union.args.get("distinct") and not union.args.get("by_name")
    if not union_all or any(union.args.get(part) for part in ("order", "limit", "offset", "with_")):
        raise InvalidView(ONLY_UNION_ALL, position)
    if any(table.name.lower() == cte.alias.lower() and not table.db for table in union.this.find_all(exp.Table)):
        raise InvalidView(ONLY_UNION_ALL, position)
    anchor = session.lower_query(union.this, session, ctes)
    names = [part.name for part in cte.args["alias"].args.get("columns") or []] or [name for name, _ in anchor.columns]
    working = session.names.fresh(cte.alias)
    types = {schema_column.name: schema_column.type for schema_column in anchor.op.schema}
    columns = tuple(Column(session.names.fresh(name), types[old]) for name, (_, old) in zip(names, anchor.columns))
    seen = tuple((name, own.name) for name, own in zip(names, columns))
    step = session.lower_query(
        union.expression, session, {**ctes, cte.alias.lower(): Lowered(Working(working, Schema(columns)), seen)}
    )
    _check_columns(columns, names, anchor, step, position)
    level = session.names.fresh("level")
    counted = _counting(step.op, working, Column(level, "int"), position_of(union.expression, session.text))
    if not any(isinstance(op, Scan) for part in (anchor.op, step.op) for op in walk(part)):
        begin = Project(anchor.op, _called(columns, anchor))
        return Lowered(Recursion(begin, Project(step.op, _called(columns, step)), working, None, _levels(cte)), seen)
    begin = Project(anchor.op, (*_called(columns, anchor), Named(level, Scalar(integer(0)))))
    next_level = Scalar(exp.Add(this=column(level), expression=integer(1)))
    again = Project(counted, (*_called(columns, step), Named(level, next_level)))
    return Lowered(Recursion(begin, again, working, level, _levels(cte)), seen)


def _levels(cte: exp.CTE) -> int | None:
    levels = cte.args["alias"].args.get(LEVELS)
    return None if levels is None else int(levels.name)


def _check_columns(
    columns: tuple[Column, ...], names: list[str], anchor: Lowered, step: Lowered, position: Position | None
) -> None:
    """Both sides need the same number of columns, of the same types: Spark does not cast here."""
    if not len(names) == len(anchor.columns) == len(step.columns):
        counts = f"{len(anchor.columns)} columns in its anchor and {len(step.columns)} in its step"
        raise InvalidView(f"the recursion has {counts}, under {len(names)} names", position)
    for own, name, (_, internal) in zip(columns, names, step.columns):
        other = step.op.schema.type_of(internal)
        if UNKNOWN not in (own.type, other) and own.type != other:
            message = f"column {name} of the recursion is {own.type} in its anchor and {other} in its step"
            raise InvalidView(message, position, "Cast one of them.")


def _called(columns: tuple[Column, ...], lowered: Lowered) -> tuple[Named, ...]:
    return tuple(Named(own.name, column_scalar(old)) for own, (_, old) in zip(columns, lowered.columns))


def _counting(step: Op, working: str, level: Column, position: Position | None) -> Op:
    """The step with the level of the row from which each of its rows is derived.

    Possible only where each row is derived from one row of the previous round: where the step is linear.
    """
    counts: dict[int, int] = {}
    for op in walk(step):
        own = isinstance(op, Working) and op.name == working
        counts[id(op)] = own + sum(counts[id(child)] for child in op.children)

    def carried(op: Op) -> Op:
        reads = [counts[id(child)] > 0 for child in op.children]
        match op:
            case Working():
                return replace(op, columns=Schema((*op.columns, level)))
            case Project():
                return Project(carried(op.child), (*op.items, Named(level.name, column_scalar(level.name))))
            case Filter() | Explode():
                return op.rebuild((carried(op.child),))
            case Join() if sum(reads) == 1:
                return op.rebuild([carried(child) if reading else child for child, reading in zip(op.children, reads)])
            case SemiJoin() | OuterJoin(full=False) if reads == [True, False]:
                left, right = op.children
                return op.rebuild((carried(left), right))
            case UnionAll() if all(reads):
                return op.rebuild([carried(branch) for branch in op.inputs])
            case _:
                raise Unsupported([reason("recursion_step", position)])

    if counts[id(step)] == 0:
        raise InvalidView(ONLY_UNION_ALL, position)
    return carried(step)
