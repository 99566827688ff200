"""The Spark settings that `server_side_parameters` may contain: those that no profile key and no code of ours sets."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from dbt.adapters.trickle.warehouses.embedded.irrelevant_settings import is_relevant
from dbt.adapters.trickle.warehouses.embedded.relevant_settings import defaults
from dbt.adapters.trickle.warehouses.embedded.settings import OURS_AT_START

KEY = "server_side_parameters"

OF_ANOTHER_KEY: Mapping[str, str] = {
    "spark.master": "cores",
    "spark.driver.cores": "cores",
    "spark.cores.max": "cores",
    "spark.driver.memory": "driver_memory",
    "spark.driver.memoryOverhead": "driver_memory",
    "spark.sql.warehouse.dir": "warehouse",
    "spark.local.dir": "warehouse",
    "spark.hadoop.javax.jdo.option.ConnectionURL": "warehouse",
    "spark.hadoop.hive.metastore.warehouse.dir": "warehouse",
    "spark.sql.session.timeZone": "time_zone",
}
"""Setting → the profile's own key for it."""

NOT_HERE: Mapping[str, str] = {
    "spark.executor.": "the embedded Spark has no executors",
    "spark.dynamicAllocation.": "the embedded Spark has no executors",
    "spark.yarn.": "the embedded Spark runs in no cluster",
    "spark.kubernetes.": "the embedded Spark runs in no cluster",
    "spark.standalone.": "the embedded Spark runs in no cluster",
    "spark.submit.": "the embedded Spark is not submitted",
    "spark.remote": "the embedded Spark is not reached over a network",
    "spark.connect.": "the embedded Spark is not reached over a network",
    "spark.api.mode": "the embedded Spark is not reached over a network",
    "spark.driver.extraJavaOptions": "set JDK_JAVA_OPTIONS in the environment instead",
    "spark.driver.defaultJavaOptions": "set JDK_JAVA_OPTIONS in the environment instead",
    "spark.driver.extraClassPath": "the class path is fixed; run ADD JAR in an on-run-start hook",
    "spark.driver.extraLibraryPath": "the class path is fixed; run ADD JAR in an on-run-start hook",
    "spark.driver.userClassPathFirst": "the class path is fixed; run ADD JAR in an on-run-start hook",
    "spark.jars": "the class path is fixed; run ADD JAR in an on-run-start hook",
    "spark.files": "run ADD FILE in an on-run-start hook",
    "spark.archives": "run ADD ARCHIVE in an on-run-start hook",
    "spark.hadoop.javax.jdo.": "the catalog is stored in the warehouse's folder",
    "spark.hadoop.hive.metastore.": "the catalog is stored in the warehouse's folder",
    "spark.sql.hive.metastore.": "the catalog is stored in the warehouse's folder",
}
"""Prefix of a setting → why it would have no effect, or do harm."""


def settings_fault(given: Any) -> str | None:
    """The first error in `server_side_parameters`, as one sentence; None if there is none."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        return f"The profile's `{KEY}: {given}` cannot be used: write Spark's settings below it, each as `name: value`."
    for name, value in given.items():
        fault = _name_fault(str(name)) or _value_fault(str(name), value)
        if fault is not None:
            return fault
    return None


def _name_fault(name: str) -> str | None:
    if name in OF_ANOTHER_KEY:
        return _refused(name, f"write the profile's key `{OF_ANOTHER_KEY[name]}` instead")
    if name in OURS_AT_START:
        return _refused(name, "dbt-trickle sets it when Spark starts; leave it out")
    for beginning, why in NOT_HERE.items():
        if name.startswith(beginning):
            return _refused(name, why)
    if not name.startswith("spark."):
        near = get_close_matches(f"spark.{name}", OF_ANOTHER_KEY, n=1, cutoff=0.8)
        meant = f" (did you mean `{near[0]}`?)" if near else ""
        return _refused(name, f"Spark's settings begin with `spark.`{meant}")
    if is_relevant(name) and name not in defaults():
        near = get_close_matches(name, defaults(), n=1, cutoff=0.8)
        return _refused(name, f"Spark knows no such setting{f'; did you mean `{near[0]}`?' if near else ''}")
    return None


def _value_fault(name: str, value: Any) -> str | None:
    if isinstance(value, (str, int, float)):
        return None
    return _refused(name, "its value must be a text, a number, true or false")


def _refused(name: str, why: str) -> str:
    return f"The profile's `{KEY}` cannot contain `{name}`: {why}{'' if why.endswith('?') else '.'}"
