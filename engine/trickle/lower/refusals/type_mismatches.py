"""misfits: what Spark refuses for the number and the types of what a function or an operator is given.

Only what is certain is called wrong: where a type is not known, Spark decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from sqlglot import exp

from trickle.lower.session import Session
from trickle.plan.kinds import has_no_equality
from trickle.plan.make_deterministic import arguments
from trickle.plan.op import Op
from trickle.plan.operands import BINARY, NO_ORDER, UNARY
from trickle.plan.signatures import SIGNATURES, Signature, kind_of
from trickle.plan.types import type_of
from trickle.sql.dialect import UNIT_FIRST, PathOf
from trickle.sql.text import function_name

Misfit = tuple[exp.Expr, str]
"""What is wrong, and the sentence that says why."""
Types = Mapping[str, str]

_AGGREGATES = (exp.Sum, exp.Avg, exp.Min, exp.Max, exp.CountIf)
_FIELDS = frozenset(
    """
    year y years yr yrs yearofweek quarter qtr month mon mons months week w weeks day d days dayofweek dow
    dayofweek_iso dow_iso doy hour h hours hr hrs minute m min mins minutes second s sec seconds secs
    """.split()
)
_LAMBDAS = {
    **dict.fromkeys(("exists", "forall"), 1),
    **dict.fromkeys(("filter", "transform", "aggregate", "reduce", "zip_with", "array_sort", "map_filter"), 2),
    **dict.fromkeys(("transform_keys", "transform_values"), 2),
}
"""How many parameters a function gives to its lambda."""
_ALIKE = {"coalesce", "nvl", "ifnull", "greatest", "least", "array"}
"""Functions whose values must have a type in common."""


def misfits(tree: exp.Expr, types: Types) -> Iterator[Misfit]:
    """All of a bound expression; what belongs to a query inside it is that query's own."""
    for node in tree.walk(prune=lambda one: isinstance(one, exp.Query)):
        yield from _misfits(node, types)


def not_a_condition(tree: exp.Expr, types: Types, clause: str) -> Iterator[Misfit]:
    """WHERE 1: a condition must be one."""
    kind = type_of(tree, types)
    if kind_of(kind) not in ("", "z"):
        yield tree, f"{clause} asks for a condition, and this is {kind.upper()}"


def refuse_equality(op: Op, columns: Iterable[str], clause: str, place: exp.Expr, session: Session) -> None:
    """Rows with a MAP or a VARIANT in them are the same as no other."""
    for name in columns:
        kind = op.schema.type_of(name)
        if has_no_equality(kind):
            remedy = "Write TO_JSON(…) of it, or MAP_ENTRIES(…)."
            session.note(place, f"{clause} compares values, and Spark compares none of type {kind.upper()}", remedy)


def _misfits(node: exp.Expr, types: Types) -> Iterator[Misfit]:
    match node:
        case exp.Paren() | exp.Alias() | exp.Column() | exp.Literal():
            return
        case exp.Cast():
            yield from _cast(node, types)
        case exp.Case():
            yield from _case(node, types)
        case exp.If() if not isinstance(node.parent, exp.Case):
            yield from _if(node, types)
        case exp.In() if node.expressions:
            yield from _pairs("In", node, [node.this, *node.expressions], types)
        case exp.Between():
            yield from _pairs("Between", node, [node.this, node.args["low"], node.args["high"]], types)
        case exp.Bracket() if len(node.expressions) == 1:
            yield from _subscript(node, types)
        case exp.Neg() | exp.Not() | exp.BitwiseNot():
            kind = type_of(node.this, types)
            if kind_of(kind) and kind_of(kind) in UNARY[type(node).__name__]:
                yield node, f"{_sign(node)} takes no {kind.upper()}"
        case exp.Binary() if type(node).__name__ in BINARY:
            yield from _pairs(type(node).__name__, node, [node.left, node.right], types)
        case exp.Anonymous() | exp.Coalesce() | exp.Sum() | exp.Avg() | exp.Min() | exp.Max() | exp.Array():
            yield from _call(node, types)
        case _:
            yield from _of_its_own_syntax(node, types)


def _of_its_own_syntax(node: exp.Expr, types: Types) -> Iterator[Misfit]:
    """Calls and signs that are written in their own way, each with its own rule."""
    match node:
        case exp.CountIf():
            yield from not_a_condition(node.this, types, "COUNT_IF")
        case exp.Substring() if node.args.get("start") is None:
            yield node, "substring() takes 2 to 3 arguments, not 1"
        case exp.Extract() if node.name.lower() not in _FIELDS:
            yield node, f"Spark extracts no {node.name.upper()}"
        case exp.Ordered():
            kind = type_of(node.this, types)
            if kind_of(kind) and kind_of(kind) in NO_ORDER:
                yield node, f"nothing can be put in order by a {kind.upper()}"
        case exp.Window():
            yield from _partition(node, types)
        case PathOf():
            kind = type_of(node.this, types)
            if kind_of(kind) not in ("", "v"):
                yield node, f"a path with : looks into a VARIANT, and this is {kind.upper()}"
        case exp.JSONExtract() | exp.JSONExtractScalar():
            yield node, "Spark has no operator -> outside of lambdas"
        case exp.Transform() if kind_of(type_of(node.this, types)) not in ("", "a"):
            yield node, f"transform() takes no {type_of(node.this, types).upper()} as its first argument"
        case exp.Lambda():
            name = "transform" if isinstance(node.parent, exp.Transform) else function_name(node.parent or node)
            most = _LAMBDAS.get(name)
            if most is not None and len(node.expressions) > most:
                yield node, f"a lambda of {name}() has {most} parameters at most"
        case exp.Escape() if isinstance(node.expression, exp.Literal) and len(node.expression.name) != 1:
            yield node, "ESCAPE takes one character"


def _partition(node: exp.Window, types: Types) -> Iterator[Misfit]:
    for one in node.args.get("partition_by") or ():
        kind = type_of(one, types)
        if kind_of(kind) and kind_of(kind) in NO_ORDER:
            yield node, f"a window cannot be partitioned by a {kind.upper()}"


def _pairs(operator: str, node: exp.Expr, operands: Sequence[exp.Expr], types: Types) -> Iterator[Misfit]:
    """The first operand with each of the others."""
    first, *others = operands
    left = type_of(first, types)
    for one in others:
        right = type_of(one, types)
        if kind_of(left) and kind_of(right) and kind_of(left) + kind_of(right) in BINARY[operator]:
            yield node, f"{_sign(node)} does not go with {left.upper()} and {right.upper()}"
            return


def _subscript(node: exp.Bracket, types: Types) -> Iterator[Misfit]:
    """A field's name stands in brackets, too, also behind an array of structs."""
    key = node.expressions[0]
    kind = type_of(node.this, types)
    names_a_field = isinstance(key, exp.Literal) and key.is_string and ("struct<" in kind or kind_of(kind) == "t")
    if not names_a_field:
        yield from _pairs("Bracket", node, [node.this, key], types)


def _cast(node: exp.Cast, types: Types) -> Iterator[Misfit]:
    wanted = type_of(node, types)
    if (digits := _too_many_digits(wanted)) is not None:
        yield node, digits
        return
    kind = type_of(node.this, types)
    pair = kind_of(kind) + kind_of(wanted)
    if len(pair) == 2 and pair in BINARY["Cast"]:
        yield node, f"a value of type {kind.upper()} is never a {wanted.upper()}"


def _too_many_digits(type_text: str) -> str | None:
    if not type_text.startswith("decimal("):
        return None
    precision, scale = (int(part) for part in type_text[len("decimal(") : -1].split(","))
    if precision > 38:
        return f"a DECIMAL has 38 digits at most, not {precision}"
    return f"{scale} of {precision} digits cannot stand behind the point" if scale > precision else None


def _case(node: exp.Case, types: Types) -> Iterator[Misfit]:
    branches = node.args["ifs"]
    subject = node.args.get("this")
    for branch in branches:
        if subject is None:
            yield from not_a_condition(branch.this, types, "WHEN")
        else:
            yield from _pairs("EQ", node, [subject, branch.this], types)
    default = node.args.get("default")
    values = [branch.args["true"] for branch in branches] + ([default] if default is not None else [])
    yield from _alike("the branches of CASE", node, values, types)


def _if(node: exp.If, types: Types) -> Iterator[Misfit]:
    otherwise = node.args.get("false")
    if otherwise is None:
        yield node, "if() takes 3 arguments, not 2"
        return
    yield from not_a_condition(node.this, types, "IF")
    yield from _alike("the values of IF", node, [node.args["true"], otherwise], types)


def _alike(what: str, node: exp.Expr, values: Sequence[exp.Expr], types: Types) -> Iterator[Misfit]:
    for one, other in combinations([type_of(value, types) for value in values], 2):
        if kind_of(one) and kind_of(other) and kind_of(one) + kind_of(other) in BINARY["Coalesce"]:
            yield node, f"{what} have no type in common: {one.upper()} and {other.upper()}"
            return


def _call(node: exp.Expr, types: Types) -> Iterator[Misfit]:
    name = type(node).__name__.lower() if isinstance(node, _AGGREGATES) else function_name(node)
    given = _given(node)
    if isinstance(node, exp.Coalesce) or name in _ALIKE:
        yield from _alike(f"the values of {name}()", node, given, types)
    own = SIGNATURES.get(name)
    unit_first = name.upper() in UNIT_FIRST and bool(given) and isinstance(given[0], exp.Var)
    if own is None or unit_first or any(_is_no_single_value(one) for one in given):
        return
    if not own.takes(len(given)):
        yield node, f"{name}() takes {own.words}, not {len(given)}"
        return
    for place, one in enumerate(given):
        kind = type_of(one, types)
        if kind_of(kind) and own.refuses(place, kind_of(kind)):
            yield node, f"{name}() takes no {kind.upper()}{_which(place, own)}"
        elif own.wants_constant(place) and one.find(exp.Column):
            yield node, f"{name}() takes a constant{_which(place, own)}, not a column"


def _given(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Coalesce):
        return [node.this, *node.expressions]
    if isinstance(node, _AGGREGATES):
        inner = node.this
        own = list(inner.expressions) if isinstance(inner, exp.Distinct) else [inner]
        return [*own, *node.expressions]
    return arguments(node)


def _is_no_single_value(node: exp.Expr) -> bool:
    """A star, which stands for any number of values, a value given by the parameter's name, and EXISTS (VALUES …)."""
    named = isinstance(node, (exp.Kwarg, exp.PropertyEQ))
    return named or node.is_star or isinstance(node, (exp.IgnoreNulls, exp.RespectNulls, exp.Order, exp.Values))


def _which(place: int, own: Signature) -> str:
    if own.counts == "1":
        return ""
    return f" as its {('first', 'second', 'third', 'fourth')[place] if place < 4 else 'later'} argument"


def _sign(node: exp.Expr) -> str:
    return _SIGNS.get(type(node).__name__, "this operator")


_SIGNS = {
    "EQ": "=",
    "NEQ": "<>",
    "NullSafeEQ": "<=>",
    "LT": "<",
    "LTE": "<=",
    "GT": ">",
    "GTE": ">=",
    "Add": "+",
    "Sub": "-",
    "Mul": "*",
    "Div": "/",
    "Mod": "%",
    "IntDiv": "DIV",
    "DPipe": "||",
    "BitwiseAnd": "&",
    "BitwiseOr": "|",
    "BitwiseXor": "^",
    "And": "AND",
    "Or": "OR",
    "Not": "NOT",
    "Neg": "-",
    "BitwiseNot": "~",
    "In": "IN",
    "Between": "BETWEEN",
    "Bracket": "[…]",
    "Like": "LIKE",
    "ILike": "ILIKE",
    "RegexpLike": "RLIKE",
    "Case": "CASE",
}
