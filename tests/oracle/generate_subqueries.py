"""Random subqueries inside expressions, as text, over one table of the world."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from tests.oracle import generate_scalars as scalars
from tests.oracle.choose import choose, once_in
from tests.oracle.generate_data import Table

Columns = Mapping[str, str]


def predicate(draw: st.DrawFn, outer: Columns, table: Table, alias: str) -> str:
    """A condition on a row of the outer query that asks another table, alone or beside OR."""
    inner = {f"{alias}.{name}": kind for name, kind in table.types.items()}
    source = f"{table.name} AS {alias}"
    kind = choose(
        draw,
        ("exists", "exists", "in", "in", "compare", "or", "counted", "either", "not_both", "aggregated", "limited"),
    )
    match kind:
        case "exists":
            word = choose(draw, ("EXISTS", "NOT EXISTS"))
            return f"{word} (SELECT 1 FROM {source}{correlated(draw, outer, inner)})"
        case "in" if pairs := _pairs(outer, inner):
            mine, other = choose(draw, pairs)
            word = choose(draw, ("IN", "NOT IN", "IN"))
            where = correlated(draw, outer, inner) if once_in(draw, 2) else ""
            return f"{mine} {word} (SELECT {other} FROM {source}{where})"
        case "counted":
            having = f"HAVING COUNT(*) {choose(draw, ('> 1', '= 0', '< 2'))}"
            return f"EXISTS (SELECT COUNT(*) AS n FROM {source}{correlated(draw, outer, inner)} {having})"
        case "either" if pairs := _pairs(outer, inner):
            first, second = (choose(draw, pairs) for _ in range(2))
            branches = [f"SELECT 1 AS one FROM {source} WHERE {other} = {mine}" for mine, other in (first, second)]
            return f"EXISTS ({choose(draw, (' UNION ALL ', ' EXCEPT ', ' INTERSECT ')).join(branches)})"
        case "not_both" if pairs := _pairs(outer, inner):
            mine, other = choose(draw, pairs)
            return f"NOT ({mine} IN (SELECT {other} FROM {source}) AND {scalars.condition(draw, outer, 0)})"
        case "aggregated" if pairs := _pairs(outer, inner):
            mine, other = choose(draw, pairs)
            word = choose(draw, ("IN", "NOT IN"))
            return f"{mine} {word} (SELECT MAX({other}) FROM {source}{correlated(draw, outer, inner)})"
        case "limited" if pairs := _pairs(outer, inner):
            mine, other = choose(draw, pairs)
            limit = choose(draw, ("LIMIT 1 OFFSET 1", "LIMIT 2", "LIMIT 1"))
            if once_in(draw, 2):
                return f"EXISTS (SELECT 1 FROM {source}{correlated(draw, outer, inner)} {limit})"
            where = correlated(draw, outer, inner)
            return f"{mine} IN (SELECT {other} FROM {source}{where} ORDER BY {other} {limit})"
        case "compare" if pairs := _pairs(outer, inner):
            mine, other = choose(draw, pairs)
            return f"{mine} {choose(draw, ('<', '=', '>='))} {value(draw, outer, table, alias, other)}"
        case _:
            one = f"EXISTS (SELECT 1 FROM {source}{correlated(draw, outer, inner)})"
            return f"({scalars.condition(draw, outer, 0)} OR {one})"


def value(draw: st.DrawFn, outer: Columns, table: Table, alias: str, column: str = "") -> str:
    """A subquery that stands for a value: an aggregate of one column, correlated or not."""
    inner = {f"{alias}.{name}": kind for name, kind in table.types.items()}
    if once_in(draw, 4):
        return _over_outer(draw, outer, table, alias, column)
    if column and _pairs(outer, inner) and once_in(draw, 4):
        order = f"ORDER BY {column}{choose(draw, ('', ' DESC', ' NULLS LAST'))} LIMIT 1"
        return f"(SELECT {column} FROM {table.name} AS {alias}{correlated(draw, outer, inner)} {order})"
    call = f"{choose(draw, ('MAX', 'MIN'))}({column})" if column else "COUNT(*)"
    where = correlated(draw, outer, inner) if once_in(draw, 2) else ""
    return f"(SELECT {call} FROM {table.name} AS {alias}{where})"


def _over_outer(draw: st.DrawFn, outer: Columns, table: Table, alias: str, column: str) -> str:
    """An aggregate over a query that computes from the outer row, or has it in one of two branches."""
    inner = {f"{alias}.{name}": kind for name, kind in table.types.items()}
    shown = column or next(iter(inner))
    call = f"{choose(draw, ('MAX', 'MIN'))}(v)" if column else "COUNT(v)"
    branches = [f"SELECT {shown} AS v FROM {table.name} AS {alias}{correlated(draw, outer, inner)}" for _ in range(2)]
    query = choose(draw, (branches[0], " UNION ALL ".join(branches), " UNION ".join(branches)))
    return f"(SELECT {call} FROM ({query}) AS {alias}_all)"


def in_on(draw: st.DrawFn, outer: Columns, table: Table, alias: str) -> str:
    """A condition for ON: it asks another table about the columns of one side."""
    inner = {f"{alias}.{name}": kind for name, kind in table.types.items()}
    pairs = _pairs(outer, inner)
    if pairs and once_in(draw, 2):
        mine, other = choose(draw, pairs)
        return f"{mine} IN (SELECT {other} FROM {table.name} AS {alias})"
    word = choose(draw, ("EXISTS", "NOT EXISTS"))
    return f"{word} (SELECT 1 FROM {table.name} AS {alias}{correlated(draw, outer, inner)})"


def lateral(draw: st.DrawFn, outer: Columns, table: Table, alias: str) -> tuple[str, dict[str, str]]:
    """A query beside each row of the outer one: some of its rows, the first of them, or what they come to."""
    inner = {f"{alias}.{name}": kind for name, kind in table.types.items()}
    name = choose(draw, list(inner))
    where = correlated(draw, outer, inner)
    source = f"{table.name} AS {alias}{where}"
    match choose(draw, ("rows", "distinct", "total", "groups", "first")):
        case "rows":
            return f"SELECT {name} AS v FROM {source}", {"v": inner[name]}
        case "distinct":
            return f"SELECT DISTINCT {name} AS v FROM {source}", {"v": inner[name]}
        case "total":
            return f"SELECT MAX({name}) AS v, COUNT(*) AS n FROM {source}", {"v": inner[name], "n": "bigint"}
        case "first" if _pairs(outer, inner):
            return f"SELECT {name} AS v FROM {source} ORDER BY {name} LIMIT 1", {"v": inner[name]}
        case _:
            return f"SELECT {name} AS v, COUNT(*) AS n FROM {source} GROUP BY {name}", {"v": inner[name], "n": "bigint"}


def correlated(draw: st.DrawFn, outer: Columns, inner: Columns) -> str:
    """A WHERE that ties the inner rows to the outer one: by equality, by an order, or not at all."""
    pairs = _pairs(outer, inner)
    if not pairs:
        return f" WHERE {scalars.condition(draw, inner, 0)}"
    mine, other = choose(draw, pairs)
    text = f" WHERE {other} {choose(draw, ('=', '=', '=', '<', '<=>'))} {mine}"
    return f"{text} AND {scalars.comparison(draw, inner)}" if once_in(draw, 3) else text


def _pairs(outer: Columns, inner: Columns) -> list[tuple[str, str]]:
    return [(a, b) for a in outer for b in inner if scalars.family(outer[a]) == scalars.family(inner[b])]
