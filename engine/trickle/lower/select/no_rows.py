"""Values of aggregates over no rows: a grouping by keys has no group there, but the original query has a row."""

from __future__ import annotations

from sqlglot import exp
from typing_extensions import assert_never

from trickle.errors import Unsupported
from trickle.functions import OverNoRows, facts_of
from trickle.operators import Aggregate
from trickle.plan.make_deterministic import called
from trickle.plan.scalar import Scalar
from trickle.reasons import reason
from trickle.sql.build import call, cast, column, integer, substitute
from trickle.sql.text import function_name


def over_no_rows(value: Scalar, aggregate: Aggregate) -> Scalar:
    """A value over the measures that is also correct without a group: counts are 0, lists empty, the rest NULL."""
    values: dict[str, exp.Expr] = {}
    for measure in aggregate.measures:
        name = function_name(called(measure.value.tree))
        own = column(measure.name)
        match facts_of(name).over_no_rows:
            case OverNoRows.ZERO:
                values[measure.name] = exp.Coalesce(this=own, expressions=[cast(integer(0), "bigint")])
            case OverNoRows.EMPTY_ARRAY:
                values[measure.name] = exp.Coalesce(this=own, expressions=[call("ARRAY")])
            case OverNoRows.NULL:
                values[measure.name] = own
            case OverNoRows.UNCERTAIN:
                if measure.name in value.columns:
                    raise Unsupported([reason("value_of_no_rows", what=f"{name}()")])
            case unknown:
                assert_never(unknown)
    return Scalar(substitute(value.tree, values))
