"""Aggregates that build sketches and approximations; most depend on the order in which they meet their rows."""

from __future__ import annotations

from trickle.functions.aggregate_forms import of_any_order, sketch
from trickle.functions.record import each

SKETCH_AGGREGATES = (
    *each("approx_top_k", of_any_order("1-3")),
    *each("approx_top_k_accumulate approx_top_k_combine", of_any_order("1-2")),
    *each("count_min_sketch", sketch("0-4", at_least=1)),
    *each("histogram_numeric", of_any_order("2")),
    *each("hll_sketch_agg", of_any_order("1-2", "dfDTNzamtv bdfsDTNzamtxv")),
    *each("hll_union_agg", of_any_order("1-2", "ibdfsDTNzamtv ibdfsDTNamtxv")),
    *each("kll_merge_agg_bigint kll_merge_agg_double kll_merge_agg_float", of_any_order("1-2", "ibdfsDTNzamtv")),
    *each("kll_sketch_agg_bigint", of_any_order("1-2", "dfsDTNzamtxv")),
    *each("kll_sketch_agg_double", of_any_order("1-2", "ibdsDTNzamtxv")),
    *each("kll_sketch_agg_float", of_any_order("1-2", "ibdfsDTNzamtxv")),
    *each("measure", of_any_order("1")),
    *each("theta_intersection_agg", sketch("1", "ibdfsDTNzamtv")),
    *each("theta_sketch_agg", sketch("1-2", "dDTNzmtv bdfsDTNzamtxv")),
    *each("theta_union_agg", sketch("1-2", "ibdfsDTNzamtv bdfsDTNzamtxv")),
    *each("tuple_intersection_agg_double tuple_intersection_agg_integer", of_any_order("1-2", "ibdfDTNzamtv")),
    *each("tuple_sketch_agg_double tuple_sketch_agg_integer", of_any_order("0-4", "mt DTNzamtxv", at_least=1)),
    *each("tuple_union_agg_double tuple_union_agg_integer", of_any_order("0-3", "ibdfDTNzamtv", at_least=1)),
)
