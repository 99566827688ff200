"""Rows of data files under a name, as Spark reads them without Delta: whole files, or the rows at some positions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from dbt.adapters.trickle.history.delta_files.positions import meant
from dbt.adapters.trickle.names import quoted
from dbt.adapters.trickle.warehouses.schema_text import ddl_of
from trickle.catalog.change_sources.feed_range import ADDED
from trickle.catalog.source_files import DataFiles, FileRows
from trickle.plan.schema import WEIGHT

if TYPE_CHECKING:
    from pyroaring import BitMap64
    from pyspark.sql import DataFrame

AnySession = Any
"""A classic session or one of Connect: PySpark has no common type for them."""
ROW = "__trickle_position"
CHANGE = "_change_type"
"""What became of a row of the change feed."""
FEW_RUNS = 16
"""Runs of consecutive positions up to which they are written into the query: Spark compiles it anew each time."""


class NamedFiles:
    """The names that a session has given to files, with what is only needed as long as they have them."""

    def __init__(self) -> None:
        self._folders: dict[str, TemporaryDirectory[str]] = {}

    def name(self, spark: AnySession, name: str, files: DataFiles) -> None:
        """A temporary view of the rows."""
        self.forget(name)
        branches = list(_branches(spark, files, lambda: self._folder(name)))
        if not branches:
            branches = [_weighted(spark.createDataFrame([], ddl_of(files.columns)), 1, files.signed)]
        reduce(lambda some, more: some.unionAll(more), branches).createOrReplaceTempView(name)

    def _folder(self, name: str) -> Path:
        """Where the positions of the rows of this name are written: most need none."""
        if name not in self._folders:
            self._folders[name] = TemporaryDirectory(prefix="trickle-positions-")
        return Path(self._folders[name].name)

    def forget(self, name: str) -> None:
        """Positions are needed no more. The view itself is the session's."""
        folder = self._folders.pop(name, None)
        if folder is not None:
            folder.cleanup()


def _branches(spark: AnySession, files: DataFiles, folder: Callable[[], Path]) -> Iterator[DataFrame]:
    reader = spark.read.schema(ddl_of(files.columns))
    if files.paths:
        yield _weighted(reader.parquet(*files.paths), 1, files.signed)
    for weight in (1, -1):
        whole = [part.path for part in files.parts if part.weight == weight and part.without is part.only is None]
        if whole:
            yield _weighted(reader.parquet(*whole), weight, files.signed)
    for part in files.parts:
        if part.without is not None or part.only is not None:
            read = _at_positions(spark, reader.parquet(part.path), part, folder)
            if read is not None:
                yield _weighted(read, part.weight, files.signed)
    if files.feed:
        yield _from_feed(spark, files)


def _weighted(rows: DataFrame, weight: int, signed: bool) -> DataFrame:
    return rows.selectExpr("*", f"{weight} AS {WEIGHT}") if signed else rows


def _at_positions(spark: AnySession, rows: DataFrame, part: FileRows, folder: Callable[[], Path]) -> DataFrame | None:
    """The rows of a file that are meant; None where none are."""
    these, bits = meant(part)
    if not bits:
        return None if these else rows
    columns = [quoted(name) for name in rows.columns]
    numbered = rows.selectExpr(*columns, f"_metadata.row_index AS {ROW}")
    few = list(islice(_runs(bits), FEW_RUNS + 1))
    if len(few) <= FEW_RUNS:
        inside = " OR ".join(f"{ROW} BETWEEN {first} AND {last}" for first, last in few)
        return numbered.where(inside if these else f"NOT ({inside})").selectExpr(*columns)
    listed = spark.read.schema("position bigint").parquet(_written(bits, folder() / uuid4().hex)).hint("broadcast")
    how = "left_semi" if these else "left_anti"
    return numbered.join(listed, numbered[ROW] == listed["position"], how).selectExpr(*columns)


def _runs(bits: BitMap64) -> Iterator[tuple[int, int]]:
    """First and last position of each run of consecutive ones, in order."""
    first = last = -2
    for position in bits:
        if position != last + 1:
            if last >= 0:
                yield first, last
            first = position
        last = position
    yield first, last


def _written(bits: BitMap64, folder: Path) -> str:
    """A file that Spark reads the positions from."""
    from arro3.core import Array, Table
    from deltalake import write_deltalake

    write_deltalake(str(folder), Table.from_pydict({"position": Array.from_buffer(array("q", bits))}))
    return str(next(folder.glob("*.parquet")))


def _from_feed(spark: AnySession, files: DataFiles) -> DataFrame:
    """The rows of files of the change feed."""
    rows: DataFrame = spark.read.schema(f"{ddl_of(files.columns)}, `{CHANGE}` string").parquet(*files.feed)
    came = ", ".join(f"'{kind}'" for kind in ADDED)
    weight = f"CASE WHEN {CHANGE} IN ({came}) THEN 1 ELSE -1 END AS {WEIGHT}"
    return rows.selectExpr(*(quoted(own.name) for own in files.columns), weight)
