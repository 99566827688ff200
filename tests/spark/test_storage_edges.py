"""What one meets at the edges of a storage: constraints, wrong columns, long names, orphans, a Java that dies."""

from __future__ import annotations

import threading
import time

import pytest

from dbt.adapters.trickle.cli import main
from dbt.adapters.trickle.warehouses.embedded import spark as warehouse
from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

CONTRACT = """
models:
  - name: promised
    config: {contract: {enforced: true}}
    constraints:
      - {type: not_null, columns: [id]}
      - {type: check, name: positive, expression: id > 0}
      - {type: check, name: positive, expression: id > 0}
      - {type: primary_key, columns: [id]}
    columns:
      - {name: id, data_type: int, constraints: [{type: not_null}]}
"""


def test_wrong_models_fail_alone_and_write_nothing(shop: Project) -> None:
    """A name that no folder takes and columns that are not there: one sentence each, and the others are built."""
    source = "select id from {{ source('raw', 'raw_orders') }}"
    shop.write("models/promised.yml", CONTRACT)
    shop.model("promised", source)
    shop.model("long", f"{{{{ config(alias='{'a' * 300}') }}}} {source}")
    shop.model("parted", f"{{{{ config(partition_by='idd') }}}} {source}")
    parsed = shop.dbt("parse", "--warn-error", "--no-partial-parse")
    ran = shop.dbt("run")
    warned = shop.dbt("run", "-s", "promised", "--full-refresh", "--warn-error")

    assert {name: ran.status(name) for name in ran.results} == {
        **dict.fromkeys(("orders", "totals", "promised"), "success"),
        **dict.fromkeys(("long", "parted"), "error"),
    }
    assert "shorter `alias`" in ran.message("long")
    assert "`idd`" in ran.message("parted")
    assert "did you mean `id`" in ran.message("parted")
    assert not shop.storage_log("parted").exists
    assert parsed.success, "dbt warns of constraints that a stream table enforces"
    assert "primary_key constraint on id is not enforced" in warned.message("promised")
    shop.sql("insert into {s}.raw_orders values (null, 'x', 1)")
    broken = shop.dbt("run", "-s", "promised")
    assert broken.status("promised") == "error"
    assert "DELTA_VIOLATE_CONSTRAINT" in broken.message("promised")


def test_orphans_are_named_and_dropped(shop: Project, capsys: pytest.CaptureFixture[str]) -> None:
    """A renamed model leaves its table: it is listed, dropped after asking, and nothing else is."""
    shop.model("old", "select id from {{ source('raw', 'raw_orders') }}")
    shop.model("older", "select id from {{ source('raw', 'raw_orders') }}")
    shop.dbt("run")
    shop.sql(
        "create table {s}.mine__trickle using delta as select 1 as id",
        "create or replace view {s}.older as select 'mine' as whose",
    )
    (shop.root / "models/old.sql").rename(shop.root / "models/new.sql")
    (shop.root / "models/older.sql").unlink()
    shop.dbt("run")
    place = ["--project-dir", str(shop.root), "--profiles-dir", str(shop.root)]
    capsys.readouterr()
    main(["status", *place])
    listed = capsys.readouterr().out
    main(["drop-orphans", "--yes", *place])
    dropped = capsys.readouterr().out
    left = shop.relations()

    assert f"{shop.schema}.old: created by model.shop.old" in " ".join(listed.split())
    assert (f"dropped {shop.schema}.old" in dropped, "mine" in dropped) == (True, False)
    assert {"old", "old__trickle", "older__trickle"} & left == set()
    assert {"older", "new__trickle", "mine__trickle", "orders__trickle"} <= left
    assert shop.rows("older") == [("mine",)]
    main(["drop-orphans", *place])
    assert "has no orphans" in capsys.readouterr().out


def test_java_killed_in_the_middle(shop: Project) -> None:
    """One sentence for the model it was running, Java anew for the next, and the rows are right after another run."""
    shop.dbt("run")
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7)")
    running = warehouse._running  # noqa: SLF001
    assert running is not None

    def kill() -> None:
        while not (shop.root / "target/run/shop/models/slow.sql").exists():
            time.sleep(0.05)
        running.java.process.kill()

    shop.model(
        "slow",
        "select count(*) as n from {{ source('raw', 'raw_orders') }} a, range(100000) b, range(100000) c "
        "where hash(a.id, b.id, c.id) = 7",
    )
    killer = threading.Thread(target=kill)
    killer.start()
    ran = shop.dbt("run", "-s", "slow", "orders", "--threads", "1")
    killer.join()
    (shop.root / "models/slow.sql").unlink()
    after = shop.dbt("build")

    assert ran.status("slow") == "error"
    assert "The embedded Spark ended unexpectedly" in ran.message("slow")
    assert "Errno" not in ran.message("slow")
    assert after.success
