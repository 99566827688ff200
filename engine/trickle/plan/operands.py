"""Of which types an operator's operands may not be, beside each other: asked of Spark 4.2, pair by pair, in ANSI mode.

The letters are those of plan/signatures.py.
"""

from __future__ import annotations

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
"""`operators | first:second …`: no operand of one of the first kinds beside one of the second."""
UNARY = {"Neg": "DTNzamtxv", "Not": "ibdfDTNamtxvIY", "BitwiseNot": "dfsDTNzamtxvIY"}
NO_ORDER = "mv"
"""Kinds that nothing is ordered by, no window is partitioned by, and of which no row is told from another."""
NO_GROUP = "v"


def _read() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _REFUSED.strip().splitlines():
        names, groups = line.split(" | ")
        pairs = [group.split(":") for group in groups.split()]
        refused = frozenset(one + other for first, second in pairs for one in first for other in second)
        found |= {name: found.get(name, frozenset()) | refused for name in names.split()}
    return found


BINARY = _read()
"""By the name of the operator's node."""
