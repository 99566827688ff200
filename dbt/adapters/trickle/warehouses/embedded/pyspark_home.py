"""The Spark of this Python's PySpark; SPARK_HOME is ignored."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from dbt.adapters.exceptions.connection import FailedToConnectError


def spark_home() -> Path:
    """The folder of PySpark, found without importing it, which takes a quarter of a second."""
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise FailedToConnectError(
            "PySpark is not installed in this Python: reinstall dbt-trickle, which depends on it."
        )
    return Path(spec.origin).parent


def class_path() -> tuple[str, ...]:
    return (str(spark_home() / "jars" / "*"),)


def spark_environment() -> dict[str, str]:
    return {**os.environ, "SPARK_HOME": str(spark_home())}
