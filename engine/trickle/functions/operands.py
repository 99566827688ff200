"""Which types an operator refuses as its operands: Spark 4.2's answers in ANSI mode, pair by pair.

The letters are those of argument_kinds.
"""

from __future__ import annotations

from trickle.functions.argument_kinds import MAP, VARIANT, kind_of
from trickle.types import Type

_REFUSED = """
EQ NEQ NullSafeEQ LT LTE GT GTE Between In | ibdf:DTNzamtxvIY s:amtvIY DTN:ibdfzamtxvIY z:ibdfDTNamtxvIY
EQ NEQ NullSafeEQ LT LTE GT GTE Between In | a:ibdfsDTNzmtxvIY mv:ibdfsDTNzamtxvIY t:ibdfsDTNzamxvIY
EQ NEQ NullSafeEQ LT LTE GT GTE Between In | x:ibdfDTNzamtvIY I:ibdfsDTNzamtxvY Y:ibdfsDTNzamtxvI
Add | i:TNzamtxvIY bdf:DTNzamtxvIY s:sDTNzamtxvY D:bdfsDTNzamtxv TN:ibdfsDTNzamtxv zamtxv:ibdfsDTNzamtxvIY
Add | I:ibdfzamtxvY Y:ibdfszamtxvI
Sub | ibdf:DTNzamtxvIY s:szamtxvY D:bdfzamtxv TN:ibdfzamtxv zamtxv:ibdfsDTNzamtxvIY I:ibdfsDTNzamtxvY
Sub | Y:ibdfsDTNzamtxvI
Mul | ibdf:DTNzamtxv s:sDTNzamtxv DTNzamtxv:ibdfsDTNzamtxvIY IY:DTNzamtxvIY
Div | ibdfIY:DTNzamtxvIY s:sDTNzamtxvIY DTNzamtxv:ibdfsDTNzamtxvIY
Mod | ibdf:DTNzamtxvIY s:sDTNzamtxvIY DTNzamtxvIY:ibdfsDTNzamtxvIY
IntDiv | ib:fDTNzamtxvIY d:fsDTNzamtxvIY fDTNzamtxv:ibdfsDTNzamtxvIY s:dfsDTNzamtxvIY I:ibdfsDTNzamtxvY
IntDiv | Y:ibdfsDTNzamtxvI
DPipe | ibdfsDTNzxvIY:amt a:ibdfsDTNzmtxvIY mt:ibdfsDTNzamtxvIY
BitwiseAnd BitwiseOr BitwiseXor | ib:dfDTNzamtxvIY dfDTNzamtxvIY:ibdfsDTNzamtxvIY s:dfsDTNzamtxvIY
And Or | ibdfDTNamtxvIY:ibdfsDTNzamtxvIY s:ibdfsDTNamtxvIY z:ibdfDTNamtxvIY
Coalesce Union | ibdf:DTNzamtxvIY s:amtIY DTN:ibdfzamtxvIY z:ibdfDTNamtxvIY a:ibdfsDTNzmtxvIY m:ibdfsDTNzatxvIY
Coalesce Union | t:ibdfsDTNzamxvIY x:ibdfDTNzamtvIY v:ibdfDTNzamtxIY I:ibdfsDTNzamtxvY Y:ibdfsDTNzamtxvI
Like ILike RegexpLike | ibdfsDTNzxvIY:amt amt:ibdfsDTNzamtxvIY
Cast TryCast | ibd:DNamtx f:DNamtxIY s:amt DN:ibdfzamtxIY T:zamtxIY z:DTNamtxIY a:ibdfDTNzmtxIY m:ibdfDTNzatxvIY
Cast TryCast | t:ibdfDTNzamxvIY x:ibdfDTNzamtIY v:IY I:fDTNzamtxvY Y:fDTNzamtxvI
Bracket | ibdfsDTNztxvIY:ibdfsDTNzamtxvIY a:dfsDTNzamtxvIY m:amt
"""
"""`operators | first:second …`: no operand of one of the first kinds with one of the second."""
_UNARY = {"Neg": "DTNzamtxv", "Not": "ibdfDTNamtxvIY", "BitwiseNot": "dfsDTNzamtxvIY"}


def _by_operator() -> dict[str, frozenset[str]]:
    by_operator: dict[str, frozenset[str]] = {}
    for line in _REFUSED.strip().splitlines():
        operators, groups = line.split(" | ")
        pairs = [group.split(":") for group in groups.split()]
        refused = frozenset(left + right for first, second in pairs for left in first for right in second)
        by_operator |= {name: by_operator.get(name, frozenset()) | refused for name in operators.split()}
    return by_operator


_BINARY = _by_operator()


def is_binary(operator: str) -> bool:
    """Whether anything is known of the operator's operands. An operator is the name of its node."""
    return operator in _BINARY


def refuses_pair(operator: str, left: Type, right: Type) -> bool:
    """Whether Spark surely refuses the operator between values of these types."""
    kinds = kind_of(left), kind_of(right)
    return all(kinds) and "".join(kinds) in _BINARY[operator]


def refuses_operand(operator: str, operand: Type) -> bool:
    """The same of an operator with one operand."""
    return kind_of(operand) != "" and kind_of(operand) in _UNARY[operator]


def cannot_be_ordered_by(kind: Type) -> bool:
    """Whether Spark surely refuses to order rows by a value of the type, and to partition a window by it."""
    return kind_of(kind) in (MAP, VARIANT)
