"""dbt show."""

from __future__ import annotations

import pytest
from dbt.tests.adapter.dbt_show import test_dbt_show as suite

pytestmark = [pytest.mark.spark, pytest.mark.conformance]


class TestShowLimit(suite.BaseShowLimit):
    pass


class TestShowSqlHeader(suite.BaseShowSqlHeader):
    pass


class TestShowDoesNotHandleDoubleLimit(suite.BaseShowDoesNotHandleDoubleLimit):
    DATABASE_ERROR_MESSAGE = "[PARSE_SYN"  # the suite looks in a shortened text
