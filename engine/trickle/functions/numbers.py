"""Functions of numbers, bits and vectors."""

from __future__ import annotations

from trickle.functions.record import Function, Rule, each
from trickle.types import STRING, Simple

NUMBERS = (
    *each("abs", Function("1", "DTNzamtxv", Rule.FIRST)),
    *each(
        "acos acosh asin asinh atanh bin bitmap_bit_position bitmap_bucket_number cbrt cosh cot csc degrees expm1 "
        "factorial log1p negative positive radians rint sec sign signum sinh tanh",
        Function("1", "DTNzamtxv"),
    ),
    *each("atan cos exp ln log10 log2 sin sqrt tan", Function("1", "DTNzamtxv", Simple.DOUBLE)),
    *each("atan2 hypot shiftleft shiftright shiftrightunsigned", Function("2", "DTNzamtxv DTNzamtxv")),
    *each("bit_count", Function("1", "dfsDTNamtxv")),
    *each("bit_get getbit", Function("2", "dfsDTNzamtxv DTNzamtxv")),
    *each("bitmap_count", Function("1")),
    *each("bround", Function("1-2", "DTNzamtxv DTNzamtxv!")),
    *each("ceil ceiling floor", Function("1-2", "DTNzamtxv")),
    *each("conv", Function("3", "amt DTNzamtxv DTNzamtxv")),
    *each("div", Function()),
    *each("e pi", Function("0")),
    *each("format_number", Function("2", "sDTNzamtxv bdfDTNzamtxv", STRING)),
    *each("log", Function("1-2", "DTNzamtxv DTNzamtxv", Simple.DOUBLE)),
    *each("mod pmod try_divide try_mod try_multiply", Function("2", "sDTNzamtxv sDTNzamtxv")),
    *each("pow power", Function("2", "DTNzamtxv DTNzamtxv", Simple.DOUBLE)),
    *each("round", Function("1-2", "DTNzamtxv DTNzamtxv!", Rule.ROUNDED)),
    *each("to_char", Function("2", "zamtv amt!", STRING)),
    *each("to_number try_to_number", Function("2", "amt amt!")),
    *each("to_varchar", Function("2", "zamtv amt!")),
    *each("try_add try_subtract", Function("2", "szamtxv szamtxv")),
    *each("vector_cosine_similarity vector_inner_product vector_l2_distance", Function("2")),
    *each("vector_norm vector_normalize", Function("1-2")),
    *each("width_bucket", Function("4", "DTNzamtxv DTNzamtxv DTNzamtxv DTNzamtxv")),
)
