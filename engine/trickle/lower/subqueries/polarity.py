"""Whether Spark evaluates an IN (SELECT …) as IN or as NOT IN. Where SQL has UNKNOWN, both are FALSE in Spark.

Before Spark turns an IN into a join it simplifies the condition around it: NOT is moved inwards through AND and OR, and
a comparison with TRUE or FALSE is dropped. An IN directly under NOT is then a NOT IN, for which an unknown match counts
as a match; for any other IN it does not. Neither is ever NULL.
"""

from __future__ import annotations

from typing import Optional

from sqlglot import exp


def is_negated(node: exp.Expr) -> bool:
    """Whether an IN is under an odd number of NOTs that Spark moves down to it."""
    return _negation_above(node)[0]


def depends_on_optimizer(node: exp.Expr) -> bool:
    """Whether the IN is a branch of an IF or CASE under NOT.

    Spark's optimizer turns some of these into AND and OR, depending on which columns can be NULL.
    """
    inner, outer = _negation_above(node)[1]
    branch = isinstance(outer, exp.Case) or (isinstance(outer, exp.If) and outer.this is not inner)
    if not branch or outer is None:
        return False
    case = outer.parent if isinstance(outer.parent, exp.Case) else outer
    return _negation_above(case)[0]


def _negation_above(node: exp.Expr) -> tuple[bool, tuple[exp.Expr, Optional[exp.Expr]]]:
    """Whether an odd number of NOTs can be moved down to a node, and the last (inner, outer) step upwards."""
    negated = False
    inner, outer = node, node.parent
    while outer is not None:
        match outer:
            case exp.Paren() | exp.And() | exp.Or():
                pass
            case exp.Not():
                negated = not negated
            case exp.EQ() | exp.NEQ() if (truth := _truth(outer, inner)) is not None:
                negated ^= truth is isinstance(outer, exp.NEQ)
            case exp.In() if outer.this is inner and (truth := _only_value(outer)) is not None:
                negated ^= not truth
            case _:
                break
        inner, outer = outer, outer.parent
    return negated, (inner, outer)


def _truth(comparison: exp.Expr, side: exp.Expr) -> Optional[bool]:
    """The boolean literal on the other side of the comparison, if there is one."""
    return _value(comparison.right if comparison.left is side else comparison.left)  # type: ignore[attr-defined]


def _value(tree: exp.Expr) -> Optional[bool]:
    literal = tree.unnest()
    return bool(literal.this) if isinstance(literal, exp.Boolean) else None


def _only_value(membership: exp.In) -> Optional[bool]:
    """The boolean of `x IN (FALSE)`, which is `x = FALSE`; None for other lists."""
    return _value(membership.expressions[0]) if len(membership.expressions) == 1 else None


def with_searched_cases(tree: exp.Expr) -> exp.Expr:
    """CASE x IN (SELECT …) WHEN FALSE …  →  CASE WHEN x IN (SELECT …) = FALSE …, in place."""
    for case in list(tree.find_all(exp.Case)):
        operand = case.this
        if operand is None or not any(node.args.get("query") for node in operand.find_all(exp.In)):
            continue
        for branch in case.args["ifs"]:
            branch.set("this", exp.EQ(this=exp.Paren(this=operand.copy()), expression=branch.this.copy()))
        case.set("this", None)
    return tree
