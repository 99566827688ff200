"""What an aggregate answers over no rows: a grouping has no group there, but the query it stands for has a row."""

from __future__ import annotations

from sqlglot import exp

from trickle.errors import Unsupported
from trickle.operators import Aggregate
from trickle.plan.functions import EXACT_AGGREGATES, SETTLED_AGGREGATES
from trickle.plan.make_deterministic import COLLECTING, called
from trickle.plan.scalar import Scalar
from trickle.reasons import reason
from trickle.sql.build import call, cast, column, integer, substitute
from trickle.sql.text import function_name

ZERO_WITHOUT_ROWS = frozenset({"count", "count_if", "regr_count", "approx_count_distinct"})
SOMETHING_WITHOUT_ROWS = frozenset(
    """
    bitmap_and_agg bitmap_construct_agg bitmap_or_agg count_min_sketch schema_of_variant_agg theta_intersection_agg
    theta_sketch_agg theta_union_agg vector_avg vector_sum
    """.split()
)
"""They may answer a bitmap or a sketch, even of nothing."""
NULL_WITHOUT_ROWS = (EXACT_AGGREGATES | SETTLED_AGGREGATES) - ZERO_WITHOUT_ROWS - SOMETHING_WITHOUT_ROWS - COLLECTING


def over_no_rows(value: Scalar, aggregate: Aggregate) -> Scalar:
    """A value over the measures, right also where there is no group: counts are 0, lists empty, the rest NULL."""
    values: dict[str, exp.Expr] = {}
    for measure in aggregate.measures:
        name = function_name(called(measure.value.tree))
        own = column(measure.name)
        if name in ZERO_WITHOUT_ROWS:
            values[measure.name] = exp.Coalesce(this=own, expressions=[cast(integer(0), "bigint")])
        elif name in COLLECTING:
            values[measure.name] = exp.Coalesce(this=own, expressions=[call("ARRAY")])
        elif name in NULL_WITHOUT_ROWS:
            values[measure.name] = own
        elif measure.name in value.columns:
            raise Unsupported([reason("value_of_no_rows", what=f"{name}()")])
    return Scalar(substitute(value.tree, values))
