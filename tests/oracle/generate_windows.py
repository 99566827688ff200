"""Random window calls, as text, over given partitions."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tests.oracle import generate_scalars as scalars
from tests.oracle.choose import choose

FRAMES = (
    "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
    "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
    "RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
    "",
    "",
)


def windowed(partition: Sequence[str]) -> scalars.Make:
    """A maker of calls over the partitions these expressions make."""

    def make(draw: st.DrawFn, types: scalars.Types) -> str:
        by = f"PARTITION BY {', '.join(partition)}"
        order = f"ORDER BY {choose(draw, list(types))}{choose(draw, ('', ' DESC', ' NULLS LAST'))}"
        value = choose(draw, list(types))
        numbers = scalars.of_family(types, *scalars.NUMBERS)
        kinds = ("ROW_NUMBER", "RANK", "DENSE_RANK", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE", "MAX", "SUM", "COUNT")
        kind = choose(draw, kinds)
        match kind:
            case "ROW_NUMBER" | "RANK" | "DENSE_RANK":
                return f"{kind}() OVER ({by} {order})"
            case "LAG" | "LEAD":
                return f"{kind}({value}) OVER ({by} {order})"
            case "FIRST_VALUE" | "LAST_VALUE":
                return f"{kind}({value}) OVER ({by} {order} {choose(draw, FRAMES)})"
            case "SUM" if numbers:
                call = f"SUM({choose(draw, numbers)})"
            case "COUNT":
                call = "COUNT(*)"
            case _:
                call = f"MAX({value})"
        if choose(draw, (True, False)):
            return f"{call} OVER ({by})"
        return f"{call} OVER ({by} {order} {choose(draw, FRAMES)})"

    return make
