"""Wrong sums of wide decimals: those that do not fit must end the statement, never count as something else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from sqlglot import exp

from tests.aggregates import test_wide_decimals
from tests.duck import test_wide_sums
from tests.planted.planting import Check, check, reword, shown_by
from trickle.aggregates import sum as sums
from trickle.aggregates.maintained import Combine
from trickle.apply import merge_by_key, overwrite_groups, overwrite_summary
from trickle.layouts import resumed_windows
from trickle.planning import fallback

ONE_ROW = check(test_wide_decimals.test_every_way_of_combining_states_ends_where_a_sum_does_not_fit)
NO_TYPE = check(test_wide_decimals.test_which_decimals_have_sums)


def on_duck(test: test_wide_sums.OnDuck) -> Check:
    return check(test, database=lambda folder: test_wide_sums.opened())
