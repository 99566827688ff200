"""How many values each of Spark 4.2's functions takes, and of which types none of them may be.

Asked of Spark itself, one call after the other, with every other value NULL: tests/spark/test_signatures.py asks again.
"""

from __future__ import annotations

from dataclasses import dataclass

KINDS = {
    "i": "tinyint smallint int",
    "b": "bigint",
    "d": "decimal",
    "f": "float double",
    "s": "string char varchar",
    "D": "date",
    "T": "timestamp",
    "N": "timestamp_ntz",
    "z": "boolean",
    "a": "array",
    "m": "map",
    "t": "struct",
    "x": "binary",
    "v": "variant",
    "I": "interval day",
    "Y": "interval year",
}
"""A letter for types that are alike to a function."""

CONSTANT = "!"
"""Of a value: it may not be computed from a row."""

_SIGNATURES = """
0 | - | cume_dist current_catalog current_database current_path current_schema current_timezone current_user e
0 | - | input_file_block_length input_file_block_start input_file_name monotonically_increasing_id pi row_number
0 | - | session_user spark_partition_id user version
0+ | - | array dense_rank grouping_id map_concat percent_rank python_worker_logs rank struct variant_explode
0+ | - | variant_explode_outer
0+ | ibdfsDTNzmtxv ibdfsDTNzmtxv ibdfsDTNzmtxv ibdfsDTNzmtxv | arrays_zip
0+ | mt mt mt mt | concat
0,2,4,6,8+ | - | named_struct
0,2,4,6,8+ | mv - mv | map
0-1 | - | current_time explode explode_outer inline inline_outer ntile posexplode posexplode_outer uuid
0-1 | dfsDTNzamtxv | rand randn random
0-2 | - | mode
0-2 | DTNzamtxv DTNzamtxv | make_ym_interval
0-2 | ibdfzamtxv ibdfDTNzamtxv | unix_timestamp
0-3 | ibdfDTNzamtv | tuple_union_agg_double tuple_union_agg_integer
0-4 | - | count_min_sketch lag lead
0-4 | DTNzamtxv DTNzamtxv DTNzamtxv DTNzamtxv | make_dt_interval
0-4 | ibdfsDTNzamtv ibdfsDTNzamtv | tuple_union_double tuple_union_integer tuple_union_theta_double
0-4 | ibdfsDTNzamtv ibdfsDTNzamtv | tuple_union_theta_integer
0-4 | mt DTNzamtxv | tuple_sketch_agg_double tuple_sketch_agg_integer
0-5 | ibdfDTNzamtxv ibdfDTNzamtxv! ibdfDTNzamtxv! ibdfDTNzamtxv! | mask
0-7 | DTNzamtxv DTNzamtxv DTNzamtxv DTNzamtxv | make_interval
1 | - | array_agg bitmap_and_agg bitmap_count bitmap_or_agg collect_list flatten grouping isnotnull isnull
1 | - | map_from_entries measure percentile_cont percentile_disc string time time_from_micros time_from_millis
1 | - | time_from_seconds time_to_micros time_to_millis time_to_seconds to_variant_object typeof vector_avg vector_sum
1 | - | zeroifnull
1 | DNamtx | bigint decimal double float int smallint tinyint
1 | DNzamtxv | avg mean sum try_avg try_sum
1 | DTNamtx | boolean
1 | DTNzamtxv | abs acos acosh asin asinh atan atanh bin bitmap_bit_position bitmap_bucket_number bitmap_construct_agg
1 | DTNzamtxv | cbrt char chr cos cosh cot csc date_from_unix_date degrees exp expm1 factorial isnan kurtosis ln log10
1 | DTNzamtxv | log1p log2 median negative nullifzero positive radians rint sec sign signum sin sinh skewness space
1 | DTNzamtxv | sqrt std stddev stddev_pop stddev_samp tan tanh var_pop var_samp variance
1 | amt | ascii bit_length char_length character_length hex initcap is_valid_utf8 lcase len length lower luhn_check
1 | amt | make_valid_utf8 octet_length quote raise_error try_url_decode try_validate_utf8 ucase unbase64 unhex upper
1 | amt | url_decode url_encode validate_utf8
1 | dfsDTNamtxv | bit_count
1 | dfsDTNzamtxv | bit_and bit_or bit_xor timestamp_micros timestamp_millis
1 | ibdfDTNamtxv | any bool_and bool_or count_if every some
1 | ibdfDTNzamt | binary
1 | ibdfDTNzamtv | base64 crc32 kll_sketch_get_n_bigint kll_sketch_get_n_double kll_sketch_get_n_float
1 | ibdfDTNzamtv | kll_sketch_to_string_bigint kll_sketch_to_string_double kll_sketch_to_string_float md5 sha sha1
1 | ibdfDTNzamtv | st_geogfromwkb
1 | ibdfDTNzamtxv | collation json_array_length json_object_keys parse_json soundex try_parse_json
1 | ibdfsDNzamtxv | unix_micros unix_millis unix_seconds
1 | ibdfsDTNzamtv | hll_sketch_estimate theta_intersection_agg theta_sketch_estimate tuple_sketch_estimate_double
1 | ibdfsDTNzamtv | tuple_sketch_estimate_integer tuple_sketch_theta_double tuple_sketch_theta_integer
1 | ibdfsDTNzamtx | is_valid_variant is_variant_null schema_of_variant schema_of_variant_agg
1 | ibdfsDTNzamtxv | st_srid
1 | ibdfsDTNzatxv | map_entries map_keys map_values
1 | ibdfsDTNzmtxv | array_compact array_distinct array_max array_min array_size
1 | ibdfsDTNztxv | cardinality size
1 | ibdfsTNzamtxv | unix_date
1 | ibdfzamtx | date
1 | ibdfzamtxv | day dayname dayofmonth dayofweek dayofyear last_day month monthname quarter weekday weekofyear year
1 | m | collect_set
1 | mt | reverse
1 | mv | max min
1 | sDTNzamtxv | timestamp_seconds
1 | zamtx | timestamp
1+ | - | coalesce count
1+ | amt | format_string printf
1+ | amt mt mt mt | concat_ws
1+ | ibdfzamtxv | hour minute second
1+ | mv mv mv mv | hash xxhash64
1,2,3,6,7 | - | make_timestamp try_make_timestamp
1-2 | - | any_value approx_count_distinct approx_top_k_accumulate approx_top_k_combine approx_top_k_estimate array_sort
1-2 | - | first first_value last last_value schema_of_avro schema_of_csv schema_of_json schema_of_xml to_avro to_time
1-2 | - | try_to_time vector_norm vector_normalize
1-2 | DTNzamtxv | ceil ceiling floor
1-2 | DTNzamtxv DTNzamtxv | log
1-2 | DTNzamtxv DTNzamtxv! | bround round
1-2 | DTNzamtxv amt | from_unixtime
1-2 | DTNzamtxv! dfsDTNzamtxv! | randstr
1-2 | amt ! | to_binary try_to_binary
1-2 | amt amt | btrim ltrim rtrim to_date to_timestamp to_timestamp_ltz to_timestamp_ntz trim try_to_date
1-2 | amt amt | try_to_timestamp
1-2 | amt amt! | listagg string_agg
1-2 | dDTNzmtv bdfsDTNzamtxv | theta_sketch_agg
1-2 | dfDTNzamtv bdfsDTNzamtxv | hll_sketch_agg
1-2 | dfsDTNzamtxv | kll_sketch_agg_bigint
1-2 | ibdfDTNzamtv | tuple_intersection_agg_double tuple_intersection_agg_integer
1-2 | ibdfDTNzamtv DTNzamtxv | st_geomfromwkb
1-2 | ibdfsDTNamtxv amt | assert_true
1-2 | ibdfsDTNzamtv | kll_merge_agg_bigint kll_merge_agg_double kll_merge_agg_float tuple_sketch_summary_double
1-2 | ibdfsDTNzamtv | tuple_sketch_summary_integer
1-2 | ibdfsDTNzamtv bdfsDTNzamtxv | theta_union_agg
1-2 | ibdfsDTNzamtv ibdfsDTNamtxv | hll_union_agg
1-2 | ibdfsDTNzamtxv | kll_sketch_agg_float
1-2 | ibdfsDTNzamtxv amt | st_asbinary
1-2 | ibdfsDTNzamx | to_xml
1-2 | ibdfsDTNzamxv | to_csv
1-2 | ibdfsDTNzmtxv | shuffle
1-2 | ibdfsDTNzmtxv ! | sort_array
1-2 | ibdfsDTNzx | to_json
1-2 | ibdfzamtxv ibdfDTNzamtxv | to_unix_timestamp
1-2 | ibdsDTNzamtxv | kll_sketch_agg_double
1-3 | - | approx_top_k
1-3 | amt amt amt | sentences
1-3 | ibdfDTNzamtxv ibdfDTNzamtxv ibdfDTNzamtxv | str_to_map
1-7 | DTNzamtxv DTNzamtxv DTNzamtxv DTNzamtxv | try_make_interval
2 | - | array_append array_contains array_except array_intersect array_position array_prepend array_remove array_union
2 | - | arrays_overlap collate element_at get histogram_numeric ifnull map_contains_key nvl time_trunc try_element_at
2 | - | vector_cosine_similarity vector_inner_product vector_l2_distance
2 | ! | date_part datepart extract
2 | - bdfsDTNzamtxv | array_repeat
2 | DTNzamtxv DTNzamtxv | atan2 corr covar_pop covar_samp hypot nanvl pow power regr_avgx regr_avgy regr_count
2 | DTNzamtxv DTNzamtxv | regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy shiftleft shiftright
2 | DTNzamtxv DTNzamtxv | shiftrightunsigned
2 | amt DTNzamtxv | left repeat right
2 | amt amt | contains encode endswith find_in_set instr regexp_count regexp_like regexp_substr startswith
2 | amt amt! | to_number try_to_number
2 | amt ibdfzamtxv | date_trunc
2 | dfsDTNzamtxv DTNzamtxv | bit_get getbit
2 | ibdfDTNzamtv ! | kll_sketch_get_quantile_bigint kll_sketch_get_quantile_double kll_sketch_get_quantile_float
2 | ibdfDTNzamtv ! | kll_sketch_get_rank_bigint kll_sketch_get_rank_double kll_sketch_get_rank_float
2 | ibdfDTNzamtv DTNzamtxv | sha2
2 | ibdfDTNzamtv ibdfDTNzamtv | kll_sketch_merge_bigint kll_sketch_merge_double kll_sketch_merge_float
2 | ibdfDTNzamtxv ! | xpath xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short
2 | ibdfDTNzamtxv ! | xpath_string
2 | ibdfDTNzamtxv ibdfDTNzamtxv | get_json_object
2 | ibdfsDTNzamtv ibdfsDTNzamtv | theta_difference theta_intersection tuple_difference_double tuple_difference_integer
2 | ibdfsDTNzamtv ibdfsDTNzamtv | tuple_difference_theta_double tuple_difference_theta_integer
2 | ibdfsDTNzamtxv DTNzamtxv | st_setsrid
2 | ibdfsDTNzatxv | transform_values
2 | ibdfsDTNzatxv ibdfsDTNamtxv | map_filter
2 | ibdfsDTNzatxv mv | transform_keys
2 | ibdfsDTNzmtxv | transform
2 | ibdfsDTNzmtxv ibdfsDTNamtxv | exists filter forall
2 | ibdfsDTNzmtxv ibdfsDTNzmtxv | map_from_arrays
2 | ibdfzamtxv DTNzamtxv | add_months
2 | ibdfzamtxv amt | date_format from_utc_timestamp next_day to_utc_timestamp trunc
2 | ibdfzamtxv bdfDTNzamtxv | date_add date_sub dateadd
2 | ibdfzamtxv ibdfzamtxv | date_diff datediff
2 | mv mv | equal_null nullif
2 | sDTNzamtxv bdfDTNzamtxv | format_number
2 | sDTNzamtxv sDTNzamtxv | mod pmod try_divide try_mod try_multiply
2 | szamtxv szamtxv | try_add try_subtract
2 | zamtv amt! | to_char to_varchar
2+ | - | java_method json_tuple reflect stack try_reflect
2+ | DTNzamtxv amt amt amt | elt
2+ | mv m | decode
2+ | mv mv mv mv | greatest least
2,3,6,7 | - | make_timestamp_ltz try_make_timestamp_ltz
2,6 | - | make_timestamp_ntz try_make_timestamp_ntz
2-3 | - | approx_percentile from_avro from_csv from_json from_xml nth_value percentile percentile_approx sequence
2-3 | - mv | max_by min_by
2-3 | amt DTNzamtxv DTNzamtxv | substr substring
2-3 | amt DTNzamtxv amt | lpad rpad
2-3 | amt amt DTNzamtxv | levenshtein locate position regexp_extract regexp_extract_all regexp_instr split
2-3 | amt amt amt | replace
2-3 | amt amt ibdfzamtxv | convert_timezone
2-3 | ibdfDTNzamtxv ibdfDTNzamtxv ibdfDTNzamtxv | parse_url try_parse_url
2-3 | ibdfsDTNzamtv ibdfsDTNzamtv | tuple_intersection_double tuple_intersection_integer
2-3 | ibdfsDTNzamtv ibdfsDTNzamtv | tuple_intersection_theta_double tuple_intersection_theta_integer
2-3 | ibdfsDTNzamtv ibdfsDTNzamtv bdfsDTNzamtxv | theta_union
2-3 | ibdfsDTNzamtv ibdfsDTNzamtv ibdfsDTNamtxv | hll_union
2-3 | ibdfsDTNzamtx ibdfDTNzamtxv | try_variant_get variant_get
2-3 | ibdfsDTNzamtxv ibdfsDzamtxv ibdfsDzamtxv! | time_bucket
2-3 | ibdfsDTNzmtxv ibdfDTNzamtxv ibdfDTNzamtxv | array_join
2-3 | ibdfzamtxv ibdfzamtxv ibdfDTNamtxv | months_between
2-3 | sDTNzamtxv! sDTNzamtxv! dfsDTNzamtxv! | uniform
2-4 | - | from_protobuf to_protobuf
2-5 | ibdfDTNzamtv ibdfDTNzamtv amt amt | aes_decrypt try_aes_decrypt
2-6 | ibdfDTNzamtv ibdfDTNzamtv amt amt | aes_encrypt
3 | - | array_insert make_time nvl2 time_diff
3 | DTNzamtxv DTNzamtxv DTNzamtxv | make_date
3 | amt DTNzamtxv DTNzamtxv | conv
3 | amt amt DTNzamtxv | split_part substring_index
3 | amt amt amt | translate
3 | ibdfsDTNamtxv | if
3 | ibdfsDTNzatxv ibdfsDTNzatxv | map_zip_with
3 | ibdfsDTNzmtxv DTNzamtxv DTNzamtxv | slice
3 | ibdfsDTNzmtxv ibdfsDTNzmtxv | zip_with
3-4 | amt amt DTNzamtxv DTNzamtxv | overlay
3-4 | amt amt amt DTNzamtxv! | regexp_replace
3-4 | ibdfsDTNzmtxv - ibdfsDTNzamtxv | aggregate reduce
4 | DTNzamtxv DTNzamtxv DTNzamtxv DTNzamtxv | width_bucket
"""
"""`how many | of which kinds each may not be | names`: 2-4 are two to four, 2+ two or more; - stands for any kind."""


@dataclass(frozen=True)
class Signature:
    """What a function takes."""

    counts: str
    refused: tuple[str, ...]
    """By place, the kinds that are refused there."""

    def takes(self, count: int) -> bool:
        return any(_within(count, part) for part in self.counts.split(","))

    def refuses(self, place: int, kind: str) -> bool:
        return place < len(self.refused) and kind in self.refused[place]

    def wants_constant(self, place: int) -> bool:
        return place < len(self.refused) and CONSTANT in self.refused[place]

    @property
    def words(self) -> str:
        """How many values it takes, for a sentence."""
        parts = [part.replace("-", " to ") for part in self.counts.split(",")]
        said = " or ".join(f"{part[:-1]} or more" if part.endswith("+") else part for part in parts)
        return f"{said} argument{'' if said == '1' else 's'}"


def _within(count: int, part: str) -> bool:
    if part.endswith("+"):
        return count >= int(part[:-1])
    first, _, last = part.partition("-")
    return int(first) <= count <= int(last or first)


def _read() -> dict[str, Signature]:
    found: dict[str, Signature] = {}
    for line in _SIGNATURES.strip().splitlines():
        counts, refused, names = (part.strip() for part in line.split("|"))
        own = Signature(counts, tuple(refused.split()))
        found |= dict.fromkeys(names.split(), own)
    return found


SIGNATURES = _read()


def kind_of(type_text: str) -> str:
    """The letter of a type; none for one that is not known, or that anything takes."""
    plain = type_text.split("(")[0].split("<")[0]
    for letter, names in KINDS.items():
        if letter in "IY":
            continue
        if plain in names.split():
            return letter
    if plain.startswith("interval"):
        return "Y" if "year" in plain or "month" in plain else "I" if plain != "interval" else ""
    return ""
