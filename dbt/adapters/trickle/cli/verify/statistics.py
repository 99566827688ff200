"""Column statistics of small tables, so that scenarios cover the literals that real files would lead to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Optional

from trickle.plan.ranges import ColumnStatistics, FileStatistics, Ranges, ranges

EVERYTHING_PAYS = ColumnStatistics({}, (FileStatistics(1, rows=0),))
"""A source whose one file can always be skipped: every literal condition is worth its cost."""


def ranges_of(values: Sequence[object]) -> Optional[Ranges]:
    """The ranges of the values, if ranges support their type."""
    present = [value for value in values if value is not None]
    kinds = {type(value) for value in present}
    if len(kinds) > 1 or not kinds <= {int, Decimal, date} or datetime in kinds:
        return None
    singles = [value.isoformat() if isinstance(value, date) else value for value in present]
    return ranges([(value, value) for value in singles], len(present) < len(values))
