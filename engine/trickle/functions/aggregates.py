"""Aggregates of numbers, values and texts."""

from __future__ import annotations

from trickle.functions.aggregate_forms import aggregate, chosen, sketch
from trickle.functions.record import OverNoRows, Rule, Ties, WithinGroup, each
from trickle.types import Simple

AGGREGATES = (
    *each("any bool_and bool_or every some", aggregate("1", "ibdfDTNamtxv", Simple.BOOLEAN)),
    *each("any_value", chosen("1-2", result=Rule.FIRST, ties=Ties.LEAST, ignores_nulls=True)),
    *each("approx_count_distinct", aggregate("1-2", result=Simple.BIGINT, over_no_rows=OverNoRows.ZERO)),
    *each("approx_percentile percentile_approx", chosen("2-3", ties=Ties.FINER)),
    *each(
        "array_agg collect_list",
        chosen(
            "1",
            result=Rule.ARRAY_OF_FIRST,
            result_with=1,
            ties=Ties.SORTED,
            over_no_rows=OverNoRows.EMPTY_ARRAY,
            ignores_nulls=True,
            shows_order=True,
        ),
    ),
    *each("avg", aggregate("1", "DNzamtxv", Rule.AVG)),
    *each("bit_and bit_or bit_xor", aggregate("1", "dfsDTNzamtxv", Rule.FIRST)),
    *each("bitmap_and_agg bitmap_or_agg vector_avg vector_sum", sketch("1")),
    *each("bitmap_construct_agg", sketch("1", "DTNzamtxv")),
    *each(
        "collect_set",
        chosen(
            "1",
            "m",
            Rule.ARRAY_OF_FIRST,
            result_with=1,
            ties=Ties.SORTED,
            over_no_rows=OverNoRows.EMPTY_ARRAY,
            ignores_nulls=True,
        ),
    ),
    *each(
        "corr covar_pop covar_samp regr_intercept regr_r2 regr_slope regr_sxx regr_sxy",
        aggregate("2", "DTNzamtxv DTNzamtxv", Simple.DOUBLE),
    ),
    *each("count", aggregate("1+", result=Simple.BIGINT, over_no_rows=OverNoRows.ZERO)),
    *each("count_if", aggregate("1", "ibdfDTNamtxv", Simple.BIGINT, over_no_rows=OverNoRows.ZERO)),
    *each("first first_value", chosen("1-2", result=Rule.FIRST, ties=Ties.LEAST, ignores_nulls=True, shows_order=True)),
    *each(
        "kurtosis skewness std stddev stddev_pop stddev_samp var_pop var_samp variance",
        aggregate("1", "DTNzamtxv", Simple.DOUBLE),
    ),
    *each(
        "last last_value", chosen("1-2", result=Rule.FIRST, ties=Ties.GREATEST, ignores_nulls=True, shows_order=True)
    ),
    *each(
        "listagg string_agg",
        chosen("1-2", "amt amt!", ties=Ties.LISTED, within_group=WithinGroup.ALLOWED, shows_order=True),
    ),
    *each("max min", aggregate("1", "mv", Rule.FIRST)),
    *each("max_by min_by", chosen("2-3", "- mv", Rule.FIRST, result_with=2, ties=Ties.PAIRED)),
    *each("mean try_avg try_sum", aggregate("1", "DNzamtxv")),
    *each("median", aggregate("1", "DTNzamtxv")),
    *each("mode", chosen("0-2", result=Rule.FIRST, ties=Ties.LEAST_MODE, within_group=WithinGroup.ONE_VALUE)),
    *each("percentile", aggregate("2-3")),
    *each("percentile_cont percentile_disc", aggregate("1", within_group=WithinGroup.REQUIRED)),
    *each("regr_avgx regr_avgy regr_syy", aggregate("2", "DTNzamtxv DTNzamtxv")),
    *each("regr_count", aggregate("2", "DTNzamtxv DTNzamtxv", Simple.BIGINT, over_no_rows=OverNoRows.ZERO)),
    *each("schema_of_variant_agg", sketch("1", "ibdfsDTNzamtx")),
    *each("sum", aggregate("1", "DNzamtxv", Rule.SUM)),
)
