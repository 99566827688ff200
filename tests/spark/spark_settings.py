"""Spark's and Delta's own lists of settings, cut down to those on which results may depend.

`python -m tests.spark.spark_settings` asks a Spark and writes the list anew.
"""

from __future__ import annotations

import tempfile
from typing import Any

from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded.irrelevant_settings import is_relevant
from dbt.adapters.trickle.warehouses.embedded.relevant_settings import LISTED
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from dbt.adapters.trickle.warehouses.embedded.settings import TIME_ZONE
from dbt.adapters.trickle.warehouses.embedded.spark import close


def all_settings(spark: Any) -> dict[str, str]:
    """Key → default of everything there is, public or not. Settings are known once their class is loaded."""
    jvm = spark._jvm  # noqa: SLF001
    sql = jvm.org.apache.spark.sql
    for package, holder in (
        (sql.internal, "StaticSQLConf$"),
        (sql.hive, "HiveUtils$"),
        (sql.delta.sources, "DeltaSQLConf$"),
    ):
        assert getattr(getattr(package, holder), "MODULE$") is not None
    entries = getattr(getattr(jvm.org.apache.spark.sql.internal, "SQLConf$"), "MODULE$").getConfigEntries()
    found = {}
    iterator = entries.iterator()
    while iterator.hasNext():
        entry = iterator.next()
        found[str(entry.key())] = str(entry.defaultValueString())
    return found


def listed(spark: Any) -> list[str]:
    """A line for each that counts. The machine's own time zone is nobody's default here: every session has one."""
    return [
        f"{key} {default}"
        for key, default in sorted(all_settings(spark).items())
        if is_relevant(key) and key != TIME_ZONE
    ]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        session = EmbeddedSession(TrickleCredentials(schema="s", warehouse=folder, driver_memory="2g"), print)
        LISTED.write_text("\n".join(listed(session.spark)) + "\n", encoding="utf-8")
        close()
