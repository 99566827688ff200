"""Failing rows kept as relations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from dbt.tests.adapter.store_test_failures_tests import basic
from dbt.tests.adapter.store_test_failures_tests.test_store_test_failures import (
    TEST_AUDIT_SCHEMA_SUFFIX,
    BaseStoreTestFailures,
)

pytestmark = [pytest.mark.spark, pytest.mark.conformance]


class TestStoreTestFailures(BaseStoreTestFailures):
    @pytest.fixture(autouse=True, scope="class")
    def drop_audit_schema(self, project: Any) -> Iterator[None]:
        yield
        with project.adapter.connection_named("__test"):
            schema = f"{project.test_schema}_{TEST_AUDIT_SCHEMA_SUFFIX}"
            project.adapter.drop_schema(project.adapter.Relation.create(schema=schema))


class TestInteractions(basic.StoreTestFailuresAsInteractions):
    pass


class TestProjectLevelOff(basic.StoreTestFailuresAsProjectLevelOff):
    pass


class TestProjectLevelView(basic.StoreTestFailuresAsProjectLevelView):
    pass


class TestProjectLevelEphemeral(basic.StoreTestFailuresAsProjectLevelEphemeral):
    pass


class TestGeneric(basic.StoreTestFailuresAsGeneric):
    pass


class TestExceptions(basic.StoreTestFailuresAsExceptions):
    pass
