"""What dbt remembers of relations between statements. Spark's relations have no database to compare."""

from __future__ import annotations

from typing import Any

import pytest
from dbt.tests.adapter.caching import test_caching as suite
from dbt.tests.util import run_dbt

pytestmark = [pytest.mark.spark, pytest.mark.conformance]


class WithoutDatabase:
    """The suite's own check, except that it calls `.lower()` on a database that is None here."""

    def run_and_inspect_cache(self, project: Any, run_args: list[str] | None = None) -> None:
        found = []
        for _ in range(2):
            run_dbt(run_args)
            assert len(project.adapter.cache.relations) == 1
            found.append(next(iter(project.adapter.cache.relations)))

        assert found[0].schema == project.test_schema == project.test_schema.lower()
        assert found[0].database is None
        assert found[0].schema.lower() == found[1].schema.lower()
        assert found[0].identifier.lower() == found[1].identifier.lower()


class TestLowercaseModel(WithoutDatabase, suite.BaseCachingLowercaseModel):
    pass


class TestUppercaseModel(WithoutDatabase, suite.BaseCachingUppercaseModel):
    pass


class TestSelectedSchemaOnly(WithoutDatabase, suite.BaseCachingSelectedSchemaOnly):
    pass


class TestNoPopulateCache(WithoutDatabase, suite.BaseNoPopulateCache):
    pass
