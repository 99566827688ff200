"""What Spark 4.2's built-in functions are, as far as maintaining a query depends on it.

Names come from Spark's own registry (FunctionRegistry.builtin); the classes are ours. A name that is not here is a
user's function, of which nothing is known.
"""

from __future__ import annotations

VOLATILE = frozenset(
    """
    aes_encrypt monotonically_increasing_id rand randn random randstr shuffle spark_partition_id try_aes_encrypt
    uniform uuid
    """.split()
)
"""May answer differently for the same row: a removed row would not cancel the added one. Any answer is right."""

FILE_METADATA = frozenset("input_file_block_length input_file_block_start input_file_name".split())
"""Where a row lies: rows are moved without being changed."""

FOREIGN = frozenset("from_protobuf java_method python_worker_logs reflect to_protobuf try_reflect".split())
"""Run code, or read files, of which nothing is known here."""

CLOCK = frozenset({"current_time"})
"""Depend on the instant of the run, in a way no literal stands for. The others are in plan/clock.py."""

SESSION = frozenset(
    """
    current_catalog current_database current_path current_schema current_user session_user user version
    """.split()
)
"""Depend on who runs the query, and where."""

RELATIONS = frozenset("variant_explode variant_explode_outer".split())
"""Turn one row into several, or none, and stand in FROM alone."""
GENERATORS = RELATIONS | frozenset(
    """
    explode explode_outer inline inline_outer json_tuple posexplode posexplode_outer stack
    """.split()
)
"""Turn one row into several, or none: the others stand in a SELECT list, in LATERAL VIEW and in FROM."""

SESSION_WINDOW = "session_window"
ROW_MAKING = frozenset(f"measure {SESSION_WINDOW} window window_time".split())
"""Make rows of a row in a SELECT list (window), merge rows of a GROUP BY, or belong to what nobody thought about."""

EXACT_AGGREGATES = frozenset(
    """
    any approx_count_distinct avg bit_and bit_or bit_xor bitmap_and_agg bitmap_construct_agg
    bitmap_or_agg bool_and bool_or corr count count_if count_min_sketch covar_pop covar_samp every
    kurtosis max mean median min percentile percentile_cont percentile_disc regr_avgx regr_avgy
    regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy schema_of_variant_agg
    skewness some std stddev stddev_pop stddev_samp sum theta_intersection_agg theta_sketch_agg
    theta_union_agg try_avg try_sum var_pop var_samp variance vector_avg vector_sum
    """.split()
)
"""Functions of the bag of their arguments: recomputing a group gives what recomputing the table gives."""

SETTLED_AGGREGATES = frozenset(
    """
    any_value approx_percentile array_agg collect_list collect_set first first_value last last_value listagg max_by
    min_by mode percentile_approx string_agg
    """.split()
)
"""Aggregates with several right answers, of which plan/make_deterministic.py says which is meant."""

FIRSTS = frozenset({"first", "first_value", "any_value"})
LASTS = frozenset({"last", "last_value"})

OTHER_AGGREGATES = frozenset(
    """
    approx_top_k approx_top_k_accumulate approx_top_k_combine histogram_numeric hll_sketch_agg
    hll_union_agg kll_merge_agg_bigint kll_merge_agg_double kll_merge_agg_float kll_sketch_agg_bigint
    kll_sketch_agg_double kll_sketch_agg_float measure
    tuple_intersection_agg_double tuple_intersection_agg_integer tuple_sketch_agg_double
    tuple_sketch_agg_integer tuple_union_agg_double tuple_union_agg_integer
    """.split()
)
"""Sketches and approximations that depend on the order in which they meet their rows, or on chance."""

GROUPING_FUNCTIONS = frozenset({"grouping", "grouping_id"})
"""Which keys a row of GROUPING SETS has: known before any row is read."""

WINDOW_ONLY = frozenset(
    """
    cume_dist dense_rank lag lead nth_value ntile percent_rank rank row_number
    """.split()
)
"""Functions that only make sense over a window."""

SCALARS = frozenset(
    """
    abs acos acosh add_months aes_decrypt aggregate and approx_top_k_estimate array array_append
    array_compact array_contains array_distinct array_except array_insert array_intersect array_join
    array_max array_min array_position array_prepend array_remove array_repeat array_size array_sort
    array_union arrays_overlap arrays_zip ascii asin asinh assert_true atan atan2 atanh base64 between
    bigint bin binary bit_count bit_get bit_length bitmap_bit_position bitmap_bucket_number bitmap_count
    boolean bround btrim cardinality cast cbrt ceil ceiling char char_length character_length chr
    coalesce collate collation concat concat_ws contains conv convert_timezone cos cosh cot crc32 csc current_timezone
    date date_add date_diff date_format date_from_unix_date date_part date_sub date_trunc dateadd
    datediff datepart day dayname dayofmonth dayofweek dayofyear decimal decode degrees div double e
    element_at elt encode endswith equal_null exists exp expm1 extract factorial filter find_in_set
    flatten float floor forall format_number format_string from_avro from_csv from_json
    from_unixtime from_utc_timestamp from_xml get get_json_object getbit greatest hash hex
    hll_sketch_estimate hll_union hour hypot if ifnull ilike in initcap instr int is_valid_utf8
    is_valid_variant is_variant_null isnan isnotnull isnull json_array_length json_object_keys
    kll_sketch_get_n_bigint kll_sketch_get_n_double kll_sketch_get_n_float
    kll_sketch_get_quantile_bigint kll_sketch_get_quantile_double kll_sketch_get_quantile_float
    kll_sketch_get_rank_bigint kll_sketch_get_rank_double kll_sketch_get_rank_float
    kll_sketch_merge_bigint kll_sketch_merge_double kll_sketch_merge_float kll_sketch_to_string_bigint
    kll_sketch_to_string_double kll_sketch_to_string_float last_day lcase least left len length
    levenshtein like ln locate log log10 log1p log2 lower lpad ltrim luhn_check make_date
    make_dt_interval make_interval make_time make_timestamp make_timestamp_ltz make_timestamp_ntz
    make_valid_utf8 make_ym_interval map map_concat map_contains_key map_entries map_filter
    map_from_arrays map_from_entries map_keys map_values map_zip_with mask md5 minute mod month
    monthname months_between named_struct nanvl negative next_day not nullif nullifzero nvl nvl2
    octet_length or overlay parse_json parse_url pi pmod position positive pow power printf quarter
    quote radians raise_error reduce regexp regexp_count regexp_extract regexp_extract_all regexp_instr regexp_like
    regexp_replace regexp_substr repeat replace reverse right rint rlike round rpad rtrim schema_of_avro
    schema_of_csv schema_of_json schema_of_variant schema_of_xml sec second
    sentences sequence sha sha1 sha2 shiftleft shiftright shiftrightunsigned sign signum sin sinh size
    slice smallint sort_array soundex space split split_part sqrt st_asbinary st_geogfromwkb
    st_geomfromwkb st_setsrid st_srid startswith str_to_map string struct substr substring
    substring_index tan tanh theta_difference theta_intersection theta_sketch_estimate theta_union time
    time_bucket time_diff time_from_micros time_from_millis time_from_seconds time_to_micros
    time_to_millis time_to_seconds time_trunc timediff timestamp timestamp_micros timestamp_millis
    timestamp_seconds timestampadd timestampdiff tinyint to_avro to_binary to_char to_csv to_date to_json to_number
    to_time to_timestamp to_timestamp_ltz to_timestamp_ntz to_unix_timestamp to_utc_timestamp to_varchar
    to_variant_object to_xml transform transform_keys transform_values translate trim trunc try_add
    try_aes_decrypt try_divide try_element_at try_make_interval try_make_timestamp
    try_make_timestamp_ltz try_make_timestamp_ntz try_mod try_multiply try_parse_json try_parse_url
    try_subtract try_to_binary try_to_date try_to_number try_to_time try_to_timestamp try_url_decode
    try_validate_utf8 try_variant_get tuple_difference_double tuple_difference_integer
    tuple_difference_theta_double tuple_difference_theta_integer tuple_intersection_double
    tuple_intersection_integer tuple_intersection_theta_double tuple_intersection_theta_integer
    tuple_sketch_estimate_double tuple_sketch_estimate_integer tuple_sketch_summary_double
    tuple_sketch_summary_integer tuple_sketch_theta_double tuple_sketch_theta_integer tuple_union_double
    tuple_union_integer tuple_union_theta_double tuple_union_theta_integer typeof ucase unbase64 unhex
    unix_date unix_micros unix_millis unix_seconds unix_timestamp upper url_decode url_encode
    validate_utf8 variant_get vector_cosine_similarity vector_inner_product
    vector_l2_distance vector_norm vector_normalize weekday weekofyear when width_bucket
    xpath xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short
    xpath_string xxhash64 year zeroifnull zip_with
    """.split()
)
"""Deterministic functions of one row."""

BUILT_IN = frozenset().union(
    VOLATILE,
    FILE_METADATA,
    FOREIGN,
    CLOCK,
    SESSION,
    GENERATORS,
    ROW_MAKING,
    EXACT_AGGREGATES,
    SETTLED_AGGREGATES,
    OTHER_AGGREGATES,
    GROUPING_FUNCTIONS,
    WINDOW_ONLY,
    SCALARS,
)
"""All of them but those that ask the clock, which are in plan/clock.py."""
