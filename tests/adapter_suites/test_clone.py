"""dbt clone: tables as shallow clones of Delta tables, views as views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from dbt.tests.adapter.dbt_clone import test_dbt_clone as suite

pytestmark = [pytest.mark.spark, pytest.mark.conformance]


class DropsItsSchemas:
    @pytest.fixture(autouse=True)
    def clean_up(self, project: Any) -> Iterator[None]:
        yield
        with project.adapter.connection_named("__test"):
            for suffix in ("seeds", "other"):
                relation = project.adapter.Relation.create(schema=f"{project.test_schema}_{suffix}")
                project.adapter.drop_schema(relation)


class TestClonePossible(DropsItsSchemas, suite.BaseClonePossible):
    pass


class TestCloneNotPossible(DropsItsSchemas, suite.BaseCloneNotPossible):
    pass


class TestCloneSameTargetAndState(DropsItsSchemas, suite.BaseCloneSameTargetAndState):
    pass
