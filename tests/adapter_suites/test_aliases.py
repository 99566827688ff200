"""Aliases. Spark reads a bare `varchar` only with a length, so the fixtures' cast is to `string`."""

from __future__ import annotations

import pytest
from dbt.tests.adapter.aliases.fixtures import MACROS__CAST_SQL, MACROS__EXPECT_VALUE_SQL
from dbt.tests.adapter.aliases.test_aliases import (
    BaseAliasErrors,
    BaseAliases,
    BaseSameAliasDifferentSchemas,
)

pytestmark = [pytest.mark.spark, pytest.mark.conformance]
MACROS = {
    "cast.sql": MACROS__CAST_SQL + "\n{% macro trickle__string_literal(s) %}'{{ s }}'{% endmacro %}\n",
    "expect_value.sql": MACROS__EXPECT_VALUE_SQL,
}


class TestAliases(BaseAliases):
    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return MACROS


class TestAliasErrors(BaseAliasErrors):
    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return MACROS


class TestSameAliasDifferentSchemas(BaseSameAliasDifferentSchemas):
    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return MACROS
