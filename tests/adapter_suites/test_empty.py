"""`--empty`: the same relations, without rows."""

from __future__ import annotations

import pytest
from dbt.tests.adapter.empty import test_empty as suite

pytestmark = [pytest.mark.spark, pytest.mark.conformance]


class TestEmptyFlag(suite.BaseTestEmpty):
    pass


class TestEmptyInlineSourceRef(suite.BaseTestEmptyInlineSourceRef):
    pass


@pytest.mark.skip(reason="waiting on upstream: dbt-core 1.11 loads seeds in full under --empty; 1.12 does not")
class TestEmptySeed(suite.BaseTestEmptySeedFlag):
    pass
