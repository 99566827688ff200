"""TPC-H's eight tables: generated as Parquet, loaded as Delta tables with change feed and deletion vectors."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SCHEMA = "tpch"
TABLES = ("region", "nation", "part", "supplier", "partsupp", "customer", "orders", "lineitem")
CLUSTERED_BY = {
    "part": "p_partkey",
    "supplier": "s_suppkey",
    "partsupp": "ps_partkey",
    "customer": "c_custkey",
    "orders": "o_orderkey",
    "lineitem": "l_orderkey",
}
GENERATOR = "tpchgen-cli"


def generate(folder: Path, scale: str) -> None:
    """Write the tables as Parquet, unless they are there: a run that was cut off leaves no folder of this name."""
    if folder.exists():
        return
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    command = [_generator(), "parquet", "--scale-factor", scale, f"--output-dir={unfinished}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{GENERATOR} failed at scale factor {scale}: {done.stderr.strip()}")
    unfinished.rename(folder)


def create_statements(parquet: Path, clustered: bool) -> Iterator[str]:
    """One statement a table; run again, it starts over."""
    for table in TABLES:
        cluster = f"cluster by ({CLUSTERED_BY[table]}) " if clustered and table in CLUSTERED_BY else ""
        yield (
            f"create or replace table {SCHEMA}.{table} using delta {cluster}tblproperties "
            "('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true') "
            f"as select * from parquet.`{parquet / table}.parquet`"
        )


def _generator() -> str:
    """The program of this interpreter's environment, or of the path."""
    beside = Path(sys.executable).with_name(GENERATOR)
    found = str(beside) if beside.exists() else shutil.which(GENERATOR)
    if found is None:
        raise SystemExit(f"{GENERATOR} is not installed: pip install 'dbt-trickle[bench]'.")
    return found
