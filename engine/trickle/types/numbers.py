"""Types of numbers: which are whole, which are exact, and the decimal that holds one."""

from __future__ import annotations

from typing import Optional

from trickle.types.values import Decimal, Simple, Type

INTEGERS = (Simple.TINYINT, Simple.SMALLINT, Simple.INT, Simple.BIGINT)
"""Each is contained in the next."""
FRACTIONS = (Simple.FLOAT, Simple.DOUBLE)
MAX_PRECISION = 38
_DIGITS = dict(zip(INTEGERS, (3, 5, 10, 20)))


def decimal_of(kind: Type) -> Optional[Decimal]:
    """The decimal a type is, or is exactly contained in for arithmetic; None for anything else."""
    match kind:
        case Decimal():
            return kind
        case Simple.TINYINT | Simple.SMALLINT | Simple.INT | Simple.BIGINT:
            return Decimal(_DIGITS[kind], 0)
        case _:
            return None


def is_integer(kind: Type) -> bool:
    """TINYINT, SMALLINT, INT or BIGINT."""
    return kind in INTEGERS


def is_fraction(kind: Type) -> bool:
    """FLOAT or DOUBLE: adding them up depends on the order."""
    return kind in FRACTIONS


def is_number(kind: Type) -> bool:
    """Whether it can be added up: exactly, or as a fraction."""
    return is_fraction(kind) or decimal_of(kind) is not None
