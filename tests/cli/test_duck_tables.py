"""DuckDB stands in for Delta: versions stay readable, the feed sums to the difference, commits have kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.cli.schema_file import columns_of
from dbt.adapters.trickle.cli.verify.duck import DuckRing
from tests.adapter.probed import fed, kind
from trickle import SourcePosition
from trickle.catalog.happened import Appended, Changed, MaintenanceOnly, Overwritten, Unchanged

T = ("scenario", "t")


@pytest.fixture
def ring() -> Iterator[DuckRing]:
    ring = DuckRing()
    ring.begin()
    ring.create_table("T", columns_of("id INT, s STRING"), ["(1, 'a')", "(1, 'a')", "(2, NULL)"])
    yield ring
    ring.end()


def feed(ring: DuckRing, first: int, last: int) -> list[tuple[Any, ...]]:
    return ring.rows(f"SELECT id, s, _change_type FROM TABLE_CHANGES('`scenario`.`t`', {first}, {last})")


def start(ring: DuckRing) -> SourcePosition:
    return ring.probe(T, "t", None).now


def test_old_versions_stay_readable(ring: DuckRing) -> None:
    """VERSION AS OF reads the rows of then, with or without an alias."""
    ring.change("DELETE FROM T WHERE id = 1")

    assert ring.rows("SELECT COUNT(*) FROM `scenario`.`t` VERSION AS OF 0") == [(3,)]
    assert ring.rows("SELECT x.id FROM `scenario`.`t` VERSION AS OF 1 AS x") == [(2,)]


def test_the_feed_of_inserts_and_deletes_is_the_difference(ring: DuckRing) -> None:
    """Duplicates are listed one by one."""
    ring.change("DELETE FROM T WHERE id = 1")
    ring.change("INSERT INTO T VALUES (2, NULL), (3, 'c')")

    assert Counter(feed(ring, 1, 2)) == Counter({(1, "a", "delete"): 2, (2, None, "insert"): 1, (3, "c", "insert"): 1})


def test_an_update_lists_every_row_it_touched(ring: DuckRing) -> None:
    """Also unchanged rows: a consumer must cancel them itself."""
    ring.change("UPDATE T SET s = 'a' WHERE id = 1 OR s IS NULL")

    assert Counter(feed(ring, 1, 1)) == Counter(
        {
            (1, "a", "update_preimage"): 2,
            (1, "a", "update_postimage"): 2,
            (2, None, "update_preimage"): 1,
            (2, "a", "update_postimage"): 1,
        }
    )


@pytest.mark.parametrize(
    ("statements", "happened", "told"),
    [
        ([], Unchanged, False),
        (["OPTIMIZE T"], MaintenanceOnly, False),
        (["INSERT INTO T VALUES (3, 'c')", "VACUUM T"], Appended, True),
        (["INSERT INTO T VALUES (3, 'c')", "DELETE FROM T WHERE id = 3"], Changed, True),
        (["TRUNCATE TABLE T"], Changed, True),
        (["INSERT OVERWRITE TABLE T VALUES (9, 'z')"], Changed, True),
        (["DELETE FROM T", "RESTORE TABLE T TO VERSION AS OF 0"], Overwritten, True),
        (["CREATE OR REPLACE TABLE T USING DELTA AS SELECT 1 AS id, 'x' AS s"], Overwritten, False),
    ],
)
def test_a_probe_has_the_kind_of_the_change(
    ring: DuckRing, statements: list[str], happened: type[object], told: bool
) -> None:
    """The same kinds as from a Delta log, and whether the feed covers them."""
    before = start(ring)
    for statement in statements:
        ring.change(statement)
    found = ring.probe(T, "t", before)

    assert (kind(found), fed(found)) == (happened, told)


def test_overwriting_reads_the_table_before_it_is_emptied(ring: DuckRing) -> None:
    """INSERT OVERWRITE from the table itself keeps the rows it selects."""
    ring.change("INSERT OVERWRITE TABLE T WITH kept AS (SELECT * FROM T WHERE id = 2) SELECT * FROM kept")

    assert ring.rows("SELECT id FROM T") == [(2,)]


def test_a_step_contains_changes_only(ring: DuckRing) -> None:
    """A SELECT or a DROP is refused in one sentence."""
    with pytest.raises(Refusal, match="a step cannot contain"):
        ring.change("SELECT 1 FROM T")
