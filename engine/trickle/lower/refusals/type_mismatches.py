"""type_mismatches: calls and operators that Spark refuses for the number and the types of their arguments.

Only what is certain is called wrong: where a type is not known, Spark decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from sqlglot import exp

from trickle.functions import facts_of
from trickle.functions.argument_kinds import ARRAY, BOOLEAN, VARIANT, kind_of
from trickle.functions.operands import cannot_be_ordered_by, is_binary, refuses_operand, refuses_pair
from trickle.functions.signature import Signature
from trickle.lower.session import Session
from trickle.plan.expression_types import expression_type
from trickle.plan.make_deterministic import arguments
from trickle.plan.op import Op
from trickle.sql.dialect import PathOf
from trickle.sql.text import function_name
from trickle.types import (
    MAX_PRECISION,
    Decimal,
    Struct,
    Type,
    element_of,
    has_equality,
    type_text,
)

TypeMismatch = tuple[exp.Expr, str]
"""The expression that is wrong, and the sentence that says why."""
Types = Mapping[str, str]

_AGGREGATES = (exp.Sum, exp.Avg, exp.Min, exp.Max, exp.CountIf)
_UNITS_OF_EXTRACT = frozenset(
    """
    year y years yr yrs yearofweek quarter qtr month mon mons months week w weeks day d days dayofweek dow
    dayofweek_iso dow_iso doy hour h hours hr hrs minute m min mins minutes second s sec seconds secs
    """.split()
)


def type_mismatches(tree: exp.Expr, types: Types) -> Iterator[TypeMismatch]:
    """All of a bound expression; what belongs to a query inside it is that query's own."""
    for node in tree.walk(prune=lambda part: isinstance(part, exp.Query)):
        yield from _misfits(node, types)


def not_a_condition(tree: exp.Expr, types: Types, clause: str) -> Iterator[TypeMismatch]:
    """WHERE 1: a condition must be one."""
    kind = expression_type(tree, types)
    if kind_of(kind) not in ("", BOOLEAN):
        yield tree, f"{clause} asks for a condition, and this is {_shown(kind)}"


def refuse_equality(op: Op, columns: Iterable[str], clause: str, node: exp.Expr, session: Session) -> None:
    """Rows with a MAP or a VARIANT in them are equal to no other."""
    for name in columns:
        kind = op.schema[name].parsed_type
        if not has_equality(kind):
            remedy = "Write TO_JSON(…) of it, or MAP_ENTRIES(…)."
            session.note(node, f"{clause} compares values, and Spark compares none of type {_shown(kind)}", remedy)


def _shown(kind: Type) -> str:
    return type_text(kind).upper()


def _misfits(node: exp.Expr, types: Types) -> Iterator[TypeMismatch]:
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
            kind = expression_type(node.this, types)
            if refuses_operand(type(node).__name__, kind):
                yield node, f"{_sign(node)} takes no {_shown(kind)}"
        case exp.Binary() if is_binary(type(node).__name__):
            yield from _pairs(type(node).__name__, node, [node.left, node.right], types)
        case exp.Anonymous() | exp.Coalesce() | exp.Sum() | exp.Avg() | exp.Min() | exp.Max() | exp.Array():
            yield from _call(node, types)
        case _:
            yield from _of_its_own_syntax(node, types)


def _of_its_own_syntax(node: exp.Expr, types: Types) -> Iterator[TypeMismatch]:
    """Calls and signs that are written in their own way, each with its own rule."""
    match node:
        case exp.CountIf():
            yield from not_a_condition(node.this, types, "COUNT_IF")
        case exp.Substring() if node.args.get("start") is None:
            yield node, "substring() takes 2 to 3 arguments, not 1"
        case exp.Extract() if node.name.lower() not in _UNITS_OF_EXTRACT:
            yield node, f"Spark extracts no {node.name.upper()}"
        case exp.Ordered():
            kind = expression_type(node.this, types)
            if cannot_be_ordered_by(kind):
                yield node, f"nothing can be put in order by a {_shown(kind)}"
        case exp.Window():
            yield from _partition(node, types)
        case PathOf():
            kind = expression_type(node.this, types)
            if kind_of(kind) not in ("", VARIANT):
                yield node, f"a path with : looks into a VARIANT, and this is {_shown(kind)}"
        case exp.JSONExtract() | exp.JSONExtractScalar():
            yield node, "Spark has no operator -> outside of lambdas"
        case exp.Transform() if kind_of(expression_type(node.this, types)) not in ("", ARRAY):
            yield node, f"transform() takes no {_shown(expression_type(node.this, types))} as its first argument"
        case exp.Lambda():
            name = "transform" if isinstance(node.parent, exp.Transform) else function_name(node.parent or node)
            most = facts_of(name).lambda_parameters
            if 0 < most < len(node.expressions):
                yield node, f"a lambda of {name}() has {most} parameters at most"
        case exp.Escape() if isinstance(node.expression, exp.Literal) and len(node.expression.name) != 1:
            yield node, "ESCAPE takes one character"


def _partition(node: exp.Window, types: Types) -> Iterator[TypeMismatch]:
    for key in node.args.get("partition_by") or ():
        kind = expression_type(key, types)
        if cannot_be_ordered_by(kind):
            yield node, f"a window cannot be partitioned by a {_shown(kind)}"


def _pairs(operator: str, node: exp.Expr, operands: Sequence[exp.Expr], types: Types) -> Iterator[TypeMismatch]:
    """The first operand with each of the others."""
    first, *others = operands
    left = expression_type(first, types)
    for other in others:
        right = expression_type(other, types)
        if refuses_pair(operator, left, right):
            yield node, f"{_sign(node)} does not go with {_shown(left)} and {_shown(right)}"
            return


def _subscript(node: exp.Bracket, types: Types) -> Iterator[TypeMismatch]:
    """A field's name may be the subscript of a struct, and of an array of structs."""
    key = node.expressions[0]
    kind = expression_type(node.this, types)
    has_fields = isinstance(kind, Struct) or isinstance(element_of(kind), Struct)
    if not (isinstance(key, exp.Literal) and key.is_string and has_fields):
        yield from _pairs("Bracket", node, [node.this, key], types)


def _cast(node: exp.Cast, types: Types) -> Iterator[TypeMismatch]:
    wanted = expression_type(node, types)
    if (digits := _too_many_digits(wanted)) is not None:
        yield node, digits
        return
    kind = expression_type(node.this, types)
    if refuses_pair("Cast", kind, wanted):
        yield node, f"a value of type {_shown(kind)} is never a {_shown(wanted)}"


def _too_many_digits(kind: Type) -> str | None:
    if not isinstance(kind, Decimal):
        return None
    if kind.precision > MAX_PRECISION:
        return f"a DECIMAL has {MAX_PRECISION} digits at most, not {kind.precision}"
    if kind.scale > kind.precision:
        return f"{kind.scale} of {kind.precision} digits cannot stand behind the point"
    return None


def _case(node: exp.Case, types: Types) -> Iterator[TypeMismatch]:
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


def _if(node: exp.If, types: Types) -> Iterator[TypeMismatch]:
    otherwise = node.args.get("false")
    if otherwise is None:
        yield node, "if() takes 3 arguments, not 2"
        return
    yield from not_a_condition(node.this, types, "IF")
    yield from _alike("the values of IF", node, [node.args["true"], otherwise], types)


def _alike(subject: str, node: exp.Expr, values: Sequence[exp.Expr], types: Types) -> Iterator[TypeMismatch]:
    for left, right in combinations([expression_type(value, types) for value in values], 2):
        if refuses_pair("Coalesce", left, right):
            yield node, f"{subject} have no type in common: {_shown(left)} and {_shown(right)}"
            return


def _call(node: exp.Expr, types: Types) -> Iterator[TypeMismatch]:
    name = type(node).__name__.lower() if isinstance(node, _AGGREGATES) else function_name(node)
    function, given = facts_of(name), _given(node)
    if function.unites_types:
        yield from _alike(f"the values of {name}()", node, given, types)
    signature = function.signature
    unit_first = function.unit_first and bool(given) and isinstance(given[0], exp.Var)
    if signature is None or unit_first or any(_is_no_single_value(argument) for argument in given):
        return
    if not signature.takes(len(given)):
        yield node, f"{name}() takes {signature.words}, not {len(given)}"
        return
    for position, argument in enumerate(given):
        kind = expression_type(argument, types)
        if kind_of(kind) and signature.refuses(position, kind_of(kind)):
            yield node, f"{name}() takes no {_shown(kind)}{_which(position, signature)}"
        elif signature.wants_constant(position) and argument.find(exp.Column):
            yield node, f"{name}() takes a constant{_which(position, signature)}, not a column"


def _given(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Coalesce):
        return [node.this, *node.expressions]
    if isinstance(node, _AGGREGATES):
        inner = node.this
        own = list(inner.expressions) if isinstance(inner, exp.Distinct) else [inner]
        return [*own, *node.expressions]
    return arguments(node)


def _is_no_single_value(node: exp.Expr) -> bool:
    """A star, which is any number of values, a value given by the parameter's name, and EXISTS (VALUES …)."""
    named = isinstance(node, (exp.Kwarg, exp.PropertyEQ))
    return named or node.is_star or isinstance(node, (exp.IgnoreNulls, exp.RespectNulls, exp.Order, exp.Values))


def _which(position: int, signature: Signature) -> str:
    if signature.counts == "1":
        return ""
    return f" as its {('first', 'second', 'third', 'fourth')[position] if position < 4 else 'later'} argument"


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
