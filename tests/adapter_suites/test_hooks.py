"""Hooks around runs, of both sorts."""

from __future__ import annotations

import pytest
from dbt.tests.adapter.hooks.test_model_hooks import BaseDuplicateHooksInConfigs, BaseHooksRefsOnSeeds
from dbt.tests.adapter.hooks.test_run_hooks import BaseAfterRunHooks

pytestmark = [pytest.mark.spark, pytest.mark.conformance]


class TestAfterRunHooks(BaseAfterRunHooks):
    pass


class TestDuplicateHooksInConfigs(BaseDuplicateHooksInConfigs):
    pass


class TestHooksRefsOnSeeds(BaseHooksRefsOnSeeds):
    pass
