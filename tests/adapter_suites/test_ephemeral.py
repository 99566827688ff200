"""Ephemeral models. The suite compares the whole generated statement, which Spark writes in its own way."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from dbt.tests.adapter.ephemeral import test_ephemeral as suite
from dbt.tests.util import check_relations_equal, run_dbt

pytestmark = [pytest.mark.spark, pytest.mark.conformance]


def written(project: Any, model: str) -> str:
    text = Path(project.project_root, "target", "run", "test", "models", f"{model}.sql").read_text("utf-8")
    return "".join(re.sub(r"\d+", "", text).split())


class TestEphemeralMulti(suite.BaseEphemeralMulti):
    def test_ephemeral_multi(self, project: Any) -> None:
        """Two models that read the same ephemeral one share its one common table expression."""
        run_dbt(["seed"])

        assert len(run_dbt(["run"])) == 3

        for model in ("dependent", "double_dependent", "super_dependent"):
            check_relations_equal(project.adapter, ["seed", model])
        sql = written(project, "double_dependent")
        assert "createorreplaceview" in sql
        assert sql.count("__dbt__cte__baseas(") == 1
        assert sql.count("__dbt__cte__base_copyas(") == 1


class TestEphemeralNested(suite.BaseEphemeralNested):
    def test_ephemeral_nested(self, project: Any) -> None:
        """An ephemeral model over an ephemeral model becomes two expressions, innermost first."""
        assert len(run_dbt(["run"])) == 2

        sql = written(project, "root_view")
        assert sql.index("__dbt__cte__ephemeral_level_twoas(") < sql.index("__dbt__cte__ephemeralas(")
        assert sql.endswith("select*from__dbt__cte__ephemeral")


class TestEphemeralErrorHandling(suite.BaseEphemeralErrorHandling):
    pass
