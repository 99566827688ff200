"""Random window calls, as text, over given partitions."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tests.oracle import generate_scalars as scalars
from tests.oracle.choose import choose

KINDS = ("ROW_NUMBER", "RANK", "DENSE_RANK", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE", "MAX", "SUM", "COUNT")
NEIGHBOURS = ("LAG", "LEAD", "LEAD")
PLACES = ("FIRST_KNOWN", "LAST_KNOWN", "NTH_VALUE")
"""Beside recursions these have made DuckDB 2.0 fail with an internal error: they are drawn by themselves."""
FRAMES = (
    "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
    "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
    "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
    "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING",
    "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
    "RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
    "",
    "",
)


def windowed(partition: Sequence[str], order: str = "", kinds: Sequence[str] = KINDS) -> scalars.Make:
    """A maker of calls over the partitions these expressions make, all in one order if it is given."""

    def make(draw: st.DrawFn, types: scalars.Types) -> str:
        by = f"PARTITION BY {', '.join(partition)}" if partition else ""
        return called(draw, types, by, order or ordered(draw, types), choose(draw, kinds))

    return make


def ordered(draw: st.DrawFn, types: scalars.Types) -> str:
    return f"ORDER BY {choose(draw, list(types))}{choose(draw, ('', ' DESC', ' NULLS LAST'))}"


def called(draw: st.DrawFn, types: scalars.Types, by: str, order: str, kind: str) -> str:
    """One call over the partitions of `by`, in an order."""
    value = choose(draw, list(types))
    numbers = scalars.of_family(types, *scalars.NUMBERS)
    match kind:
        case "ROW_NUMBER" | "RANK" | "DENSE_RANK":
            return f"{kind}() OVER ({by} {order})"
        case "LAG" | "LEAD":
            steps = choose(draw, ("", "", ", 2"))
            return f"{kind}({value}{steps}) OVER ({by} {order})"
        case "FIRST_VALUE" | "LAST_VALUE":
            return f"{kind}({value}) OVER ({by} {order} {choose(draw, FRAMES)})"
        case "FIRST_KNOWN" | "LAST_KNOWN":
            name = kind.replace("KNOWN", "VALUE")
            return f"{name}({value}) IGNORE NULLS OVER ({by} {order} {choose(draw, ('', '', *FRAMES))})"
        case "NTH_VALUE":
            known = choose(draw, ("", " IGNORE NULLS"))
            frame = choose(draw, ("", *FRAMES))
            return f"NTH_VALUE({value}, {choose(draw, (1, 2, 3))}){known} OVER ({by} {order} {frame})"
        case "SUM" if numbers:
            call = f"SUM({choose(draw, numbers)})"
        case "COUNT":
            call = "COUNT(*)"
        case _:
            call = f"MAX({value})"
    # Without order it is a total of the partition: rarer where that is everything, and no order can be made use of.
    if choose(draw, (True, False) if by else (True, False, False, False, False, False)):
        return f"{call} OVER ({by})"
    return f"{call} OVER ({by} {order} {choose(draw, FRAMES)})"
