"""Functions of one row that read and combine sketches."""

from __future__ import annotations

from trickle.functions.record import Function, each

SKETCHES = (
    *each("approx_top_k_estimate", Function("1-2")),
    *each(
        "hll_sketch_estimate theta_sketch_estimate tuple_sketch_estimate_double tuple_sketch_estimate_integer "
        "tuple_sketch_theta_double tuple_sketch_theta_integer",
        Function("1", "ibdfsDTNzamtv"),
    ),
    *each("hll_union", Function("2-3", "ibdfsDTNzamtv ibdfsDTNzamtv ibdfsDTNamtxv")),
    *each(
        "kll_sketch_get_n_bigint kll_sketch_get_n_double kll_sketch_get_n_float kll_sketch_to_string_bigint "
        "kll_sketch_to_string_double kll_sketch_to_string_float",
        Function("1", "ibdfDTNzamtv"),
    ),
    *each(
        "kll_sketch_get_quantile_bigint kll_sketch_get_quantile_double kll_sketch_get_quantile_float "
        "kll_sketch_get_rank_bigint kll_sketch_get_rank_double kll_sketch_get_rank_float",
        Function("2", "ibdfDTNzamtv !"),
    ),
    *each(
        "kll_sketch_merge_bigint kll_sketch_merge_double kll_sketch_merge_float",
        Function("2", "ibdfDTNzamtv ibdfDTNzamtv"),
    ),
    *each(
        "theta_difference theta_intersection tuple_difference_double tuple_difference_integer "
        "tuple_difference_theta_double tuple_difference_theta_integer",
        Function("2", "ibdfsDTNzamtv ibdfsDTNzamtv"),
    ),
    *each("theta_union", Function("2-3", "ibdfsDTNzamtv ibdfsDTNzamtv bdfsDTNzamtxv")),
    *each(
        "tuple_intersection_double tuple_intersection_integer tuple_intersection_theta_double "
        "tuple_intersection_theta_integer",
        Function("2-3", "ibdfsDTNzamtv ibdfsDTNzamtv"),
    ),
    *each("tuple_sketch_summary_double tuple_sketch_summary_integer", Function("1-2", "ibdfsDTNzamtv")),
    *each(
        "tuple_union_double tuple_union_integer tuple_union_theta_double tuple_union_theta_integer",
        Function("0-4", "ibdfsDTNzamtv ibdfsDTNzamtv"),
    ),
)
