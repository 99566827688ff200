"""Functions called with their schema: s.upper(x) is a user-defined function, not Spark's own upper."""

from __future__ import annotations

from typing import ClassVar, Optional

from sqlglot import exp

CALL = "trickle_call"
"""The offsets of a call in the text, first and last, parentheses included."""

BUILTIN = (("builtin",), ("system", "builtin"))
"""The schemas of Spark's own functions."""
_CATALOG = "spark_catalog"
_UNDERSTOOD: dict[str, type[exp.Func]] = {
    "avg": exp.Avg,
    "count_if": exp.CountIf,
    "if": exp.If,
    "max": exp.Max,
    "min": exp.Min,
    "sum": exp.Sum,
}


class RoutineCall(exp.Anonymous):
    """schema.name(…). `this` is its dotted name in lower case, which no built-in function has."""

    arg_types: ClassVar = {"this": True, "parts": True, "expressions": False}

    @property
    def names(self) -> tuple[str, ...]:
        """The parts of the name in lower case, without Spark's own catalog."""
        parts = tuple(part.name.lower() for part in self.args["parts"])
        return parts[1:] if len(parts) > 2 and parts[0] == _CATALOG else parts


def with_routines(tree: exp.Query) -> exp.Query:
    """The tree with every qualified call as one node: a RoutineCall, or the built-in function it names.

    sqlglot parses s.f(x) as a field of s, with the call f(x) as the field.
    """
    for dot in list(tree.find_all(exp.Dot)):
        qualifiers = _names(dot.this)
        filtered = dot.expression if isinstance(dot.expression, exp.Filter) else None
        call = dot.expression if filtered is None else filtered.this
        if qualifiers and isinstance(call, exp.Anonymous):
            _replace(dot, filtered, _call(call, qualifiers))
    for column in list(tree.find_all(exp.Column)):
        # With FILTER after it the call may be parsed as a column of the table s.
        filtered = column.this if isinstance(column.this, exp.Filter) else None
        if filtered is not None and isinstance(filtered.this, exp.Anonymous):
            qualifiers = [part for part in column.parts if isinstance(part, exp.Identifier)]
            _replace(column, filtered, _call(filtered.this, qualifiers))
    for table in list(tree.find_all(exp.Table)):
        schema = table.args.get("db")
        if isinstance(table.this, exp.Func) and isinstance(schema, exp.Identifier):
            qualifiers = [part for part in (table.args.get("catalog"), schema) if isinstance(part, exp.Identifier)]
            table.set("this", _call(table.this, qualifiers))
            table.set("db", None)
            table.set("catalog", None)
    return tree


def _names(tree: exp.Expr) -> list[exp.Identifier]:
    """The parts of a dotted name; [] for any other tree."""
    if isinstance(tree, exp.Identifier):
        return [tree]
    if isinstance(tree, exp.Dot) and isinstance(tree.expression, exp.Identifier) and (before := _names(tree.this)):
        return [*before, tree.expression]
    return []


def _replace(node: exp.Expr, filtered: Optional[exp.Filter], call: exp.Expr) -> None:
    if filtered is not None:
        filtered.set("this", call)
    node.replace(call if filtered is None else filtered)


def _call(call: exp.Func, qualifiers: list[exp.Identifier]) -> exp.Expr:
    own = call.this if isinstance(call.this, exp.Identifier) else exp.to_identifier(str(call.name))
    schema = tuple(part.name.lower() for part in qualifiers)
    if schema in BUILTIN:
        made = _builtin(call)
    else:
        made = RoutineCall(this="", parts=[*qualifiers, own], expressions=call.expressions)
        made.set("this", ".".join(made.names))
    made.meta.update(call.meta)
    first = _first_offset(qualifiers)
    if CALL in call.meta and first is not None:
        made.meta[CALL] = (first, call.meta[CALL][1])
    return made


def _builtin(call: exp.Func) -> exp.Expr:
    """system.builtin.sum(x) as SUM(x), as the parser would have parsed it."""
    name, given = str(call.name), list(call.expressions)
    match name.lower():
        case "count":
            return exp.Count(this=given[0] if given else None, expressions=given[1:], big_int=True)
        case "array":
            return exp.Array(expressions=given)
        case "coalesce":
            return exp.Coalesce(this=given[0] if given else None, expressions=given[1:])
        case _:
            known = _UNDERSTOOD.get(name.lower())
            return exp.Anonymous(this=name, expressions=given) if known is None else known.from_arg_list(given)


def _first_offset(qualifiers: list[exp.Identifier]) -> Optional[int]:
    starts = [int(start) for part in qualifiers if (start := part.meta_get("start")) is not None]
    return min(starts, default=None)
