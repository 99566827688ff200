"""Functions of arrays, maps and structs, those with lambdas among them."""

from __future__ import annotations

from trickle.functions.record import Function, Rule, each
from trickle.types import Simple

COLLECTIONS = (
    *each("aggregate reduce", Function("3-4", "ibdfsDTNzmtxv - ibdfsDTNzamtxv", lambda_parameters=2)),
    *each("array", Function("0+", result=Rule.ARRAY, unites_types=True)),
    *each(
        "array_append array_contains array_except array_intersect array_position array_prepend array_remove "
        "array_union arrays_overlap get map_contains_key",
        Function("2"),
    ),
    *each("array_compact array_distinct array_max array_min", Function("1", "ibdfsDTNzmtxv")),
    *each("array_insert", Function("3")),
    *each("array_join", Function("2-3", "ibdfsDTNzmtxv ibdfDTNzamtxv ibdfDTNzamtxv")),
    *each("array_repeat", Function("2", "- bdfsDTNzamtxv", Rule.ARRAY)),
    *each("array_size", Function("1", "ibdfsDTNzmtxv", Simple.INT)),
    *each("array_sort", Function("1-2", lambda_parameters=2)),
    *each("arrays_zip", Function("0+", "ibdfsDTNzmtxv ibdfsDTNzmtxv ibdfsDTNzmtxv ibdfsDTNzmtxv")),
    *each("cardinality size", Function("1", "ibdfsDTNztxv", Simple.INT)),
    *each("concat", Function("0+", "mt mt mt mt", Rule.CONCATENATED)),
    *each("element_at try_element_at", Function("2", result=Rule.ELEMENT, result_with=2)),
    *each("exists forall", Function("2", "ibdfsDTNzmtxv ibdfsDTNamtxv", lambda_parameters=1)),
    *each("filter", Function("2", "ibdfsDTNzmtxv ibdfsDTNamtxv", lambda_parameters=2)),
    *each("flatten map_from_entries", Function("1")),
    *each("map", Function("0,2,4,6,8+", "mv - mv", Rule.MAP)),
    *each("map_concat struct", Function("0+")),
    *each("map_entries map_keys map_values", Function("1", "ibdfsDTNzatxv")),
    *each("map_filter", Function("2", "ibdfsDTNzatxv ibdfsDTNamtxv", lambda_parameters=2)),
    *each("map_from_arrays", Function("2", "ibdfsDTNzmtxv ibdfsDTNzmtxv")),
    *each("map_zip_with", Function("3", "ibdfsDTNzatxv ibdfsDTNzatxv", lambda_parameters=3)),
    *each("named_struct", Function("0,2,4,6,8+", result=Rule.STRUCT)),
    *each("reverse", Function("1", "mt")),
    *each("sequence", Function("2-3", result=Rule.ARRAY)),
    *each("slice", Function("3", "ibdfsDTNzmtxv DTNzamtxv DTNzamtxv")),
    *each("sort_array", Function("1-2", "ibdfsDTNzmtxv !")),
    *each("str_to_map", Function("1-3", "ibdfDTNzamtxv ibdfDTNzamtxv ibdfDTNzamtxv")),
    *each("transform", Function("2", "ibdfsDTNzmtxv", lambda_parameters=2)),
    *each("transform_keys", Function("2", "ibdfsDTNzatxv mv", lambda_parameters=2)),
    *each("transform_values", Function("2", "ibdfsDTNzatxv", lambda_parameters=2)),
    *each("zip_with", Function("3", "ibdfsDTNzmtxv ibdfsDTNzmtxv", lambda_parameters=2)),
)
