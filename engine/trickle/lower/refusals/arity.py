"""How many values an aggregate, a window function or a generator takes: what Spark refuses before it looks at a row."""

from __future__ import annotations

from sqlglot import exp

from trickle.plan.functions import EXACT_AGGREGATES, OTHER_AGGREGATES, SETTLED_AGGREGATES
from trickle.plan.make_deterministic import arguments
from trickle.sql.text import function_name

_NONE = "cume_dist dense_rank mode ntile percent_rank rank row_number"
_TWO = """
    approx_percentile corr covar_pop covar_samp json_tuple max_by min_by nth_value percentile percentile_approx
    regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy stack
"""
_ONE = "explode explode_outer inline inline_outer lag lead posexplode posexplode_outer"
LEAST = {
    **dict.fromkeys((*EXACT_AGGREGATES, *SETTLED_AGGREGATES, *OTHER_AGGREGATES, *_ONE.split()), 1),
    **dict.fromkeys(_NONE.split(), 0),
    **dict.fromkeys(_TWO.split(), 2),
}
"""The fewest values each can be called with."""


def fewest_of(node: exp.Expr) -> int:
    """How many values a call takes at least, where it has fewer; 0 where it has enough."""
    if isinstance(node, exp.Count):
        asked = node.this.expressions if isinstance(node.this, exp.Distinct) else node.this
        return 0 if asked else 1
    fewest = LEAST.get(function_name(node), 0) if isinstance(node, exp.Anonymous) else 0
    return fewest if len(arguments(node)) < fewest else 0
