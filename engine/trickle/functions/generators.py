"""Functions that make rows."""

from __future__ import annotations

from trickle.functions.record import Function, Role, each

GENERATORS = (
    *each(
        "explode explode_outer posexplode posexplode_outer",
        Function("0-1", role=Role.GENERATOR, at_least=1, makes_rows_of="am"),
    ),
    *each("inline inline_outer", Function("0-1", role=Role.GENERATOR, at_least=1, makes_rows_of="a")),
    *each("json_tuple stack", Function("2+", role=Role.GENERATOR)),
    *each("variant_explode variant_explode_outer", Function("0+", role=Role.RELATION)),
)
