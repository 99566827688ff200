"""Functions of JSON, XML, CSV, Avro, variants, addresses and shapes."""

from __future__ import annotations

from trickle.functions.record import Function, each
from trickle.types import Simple

DOCUMENTS = (
    *each("from_avro from_csv from_json from_xml", Function("2-3")),
    *each("get_json_object", Function("2", "ibdfDTNzamtxv ibdfDTNzamtxv")),
    *each("is_valid_variant is_variant_null schema_of_variant", Function("1", "ibdfsDTNzamtx")),
    *each("json_array_length json_object_keys", Function("1", "ibdfDTNzamtxv")),
    *each("parse_json try_parse_json", Function("1", "ibdfDTNzamtxv", Simple.VARIANT)),
    *each("parse_url try_parse_url", Function("2-3", "ibdfDTNzamtxv ibdfDTNzamtxv ibdfDTNzamtxv")),
    *each("schema_of_avro schema_of_csv schema_of_json schema_of_xml to_avro", Function("1-2")),
    *each("st_asbinary", Function("1-2", "ibdfsDTNzamtxv amt")),
    *each("st_geogfromwkb", Function("1", "ibdfDTNzamtv")),
    *each("st_geomfromwkb", Function("1-2", "ibdfDTNzamtv DTNzamtxv")),
    *each("st_setsrid", Function("2", "ibdfsDTNzamtxv DTNzamtxv")),
    *each("st_srid", Function("1", "ibdfsDTNzamtxv")),
    *each("to_csv", Function("1-2", "ibdfsDTNzamxv")),
    *each("to_json", Function("1-2", "ibdfsDTNzx")),
    *each("to_variant_object", Function("1", result=Simple.VARIANT)),
    *each("to_xml", Function("1-2", "ibdfsDTNzamx")),
    *each("try_url_decode url_decode url_encode", Function("1", "amt")),
    *each("try_variant_get variant_get", Function("2-3", "ibdfsDTNzamtx ibdfDTNzamtxv", Simple.VARIANT, result_with=2)),
    *each(
        "xpath xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short xpath_string",
        Function("2", "ibdfDTNzamtxv !"),
    ),
)
