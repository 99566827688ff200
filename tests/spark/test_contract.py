"""What a stamp promises holds on Spark: one instant for statement and stamp, one set of settings for all rows."""

from __future__ import annotations

import json

import pytest

from dbt.adapters.trickle.credentials import TrickleCredentials
from dbt.adapters.trickle.embedded.harmless import FAMILIES
from dbt.adapters.trickle.embedded.relevant import LISTED
from dbt.adapters.trickle.embedded.session import EmbeddedSession
from tests.spark.dbt_project import Project
from tests.spark.spark_settings import all_settings, listed

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("contract")]

ESCAPED = "spark.sql.parser.escapedStringLiterals"
BOTH_CHECKS = "data_tests: [stream_table_exact, stream_table_state]"


def with_parameters(shop: Project, **parameters: object) -> None:
    """The profile with these `server_side_parameters`."""
    file = shop.root / "profiles.yml"
    profile = json.loads(file.read_text("utf-8"))
    profile["shop"]["outputs"]["dev"]["server_side_parameters"] = parameters
    file.write_text(json.dumps(profile), encoding="utf-8")


def test_the_list_of_settings_is_sparks_own(shop: Project) -> None:
    """A new Spark or Delta with other settings, or other defaults, is looked at before it is taken."""
    session = EmbeddedSession(TrickleCredentials(schema="s", warehouse=str(shop.warehouse), driver_memory="2g"), print)
    there = all_settings(session.spark)
    missing = [one for one in FAMILIES if not any(key == one or key.startswith(f"{one}.") for key in there)]

    assert "\n".join(listed(session.spark)) == LISTED.read_text("utf-8").strip(), "python -m tests.spark.spark_settings"
    assert not missing, "families of settings that no setting belongs to"
    assert session.confs() == session.spark.conf.getAll


def test_a_clock_shown_over_stream_tables(shop: Project) -> None:
    """Exact after each refresh, two stream tables up, and maintained where only the second commit is newer."""
    shop.write(
        "models/clock.yml",
        f"models: [{{name: loaded, {BOTH_CHECKS}}}, {{name: seen, {BOTH_CHECKS}}}, {{name: counted, {BOTH_CHECKS}}}]",
    )
    shop.model("loaded", "select id, amount, current_timestamp() as loaded_at from {{ ref('orders') }}")
    shop.model("seen", "select l.*, current_timestamp() as seen_at from {{ ref('loaded') }} l where amount < 50")
    shop.model(
        "counted",
        "{{ config(refresh_mode='incremental') }} select amount % 2 as odd, count(*) as n, current_date as day, "
        "current_timestamp() as at from {{ ref('orders') }} group by amount % 2",
    )
    built = shop.dbt("build")
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7), (5, 'ann', 100)")
    grown = shop.dbt("build")
    shop.sql("update {s}.raw_orders set amount = 1 where id = 2", "delete from {s}.raw_orders where id = 3")
    changed = shop.dbt("build")

    assert [built.success, grown.success, changed.success] == [True, True, True]
    for name in ("loaded", "seen", "counted"):
        assert changed.response(name)["reason_code"] != "stored_rows_differ"
        assert changed.response(name)["data_timestamp"] == changed.response("orders")["data_timestamp"]
    assert len({row[2] for row in shop.rows("seen")}) == 1
    assert {row[2] for row in shop.rows("seen")} == {row[3] for row in shop.rows("seen")}


def test_settings_of_hooks_and_of_the_profile(shop: Project) -> None:
    """A hook's SET reaches no row, and says so; the profile's builds anew; what changes no result does nothing."""
    shop.write("models/lengths.yml", "models: [{name: lengths, data_tests: [stream_table_exact, stream_table_state]}]")
    text = r"select id, length('a\nb') as n from {{ source('raw', 'raw_orders') }}"
    shop.model(
        "lengths",
        "{{ config(pre_hook=['set " + ESCAPED + " = true', 'set spark.sql.shuffle.partitions = 3']) }} " + text,
    )
    hooked = shop.dbt("build", "--select", "lengths")
    shop.sql("insert into {s}.raw_orders values (4, 'cid', 7)")
    grown = shop.dbt("build", "--select", "lengths")
    before = shop.rows("lengths")
    shop.model("lengths", text)
    unhooked = shop.dbt("run", "--select", "lengths")
    with_parameters(shop, **{ESCAPED: True, "spark.sql.shuffle.partitions": 5})
    tested = shop.dbt("test", "--select", "lengths")
    anew = shop.dbt("build", "--select", "lengths")
    after = shop.rows("lengths")
    with_parameters(shop, **{ESCAPED: True, "spark.sql.shuffle.partitions": 7, "spark.sql.groupByOrdinal": True})
    rested = shop.dbt("run", "--select", "lengths")

    assert [hooked.success, grown.success, tested.success, anew.success] == [True] * 4
    assert before == [(1, 3), (2, 3), (3, 3), (4, 3)]
    (note,) = grown.response("lengths")["notes"]
    assert f"has set {ESCAPED} to true" in note
    assert unhooked.response("lengths")["notes"] == []
    assert (anew.action("lengths"), anew.response("lengths")["reason_code"]) == ("REINITIALIZE", "contract_changed")
    assert f"{ESCAPED} (default → true) changed" in anew.response("lengths")["reason"]
    assert after == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert rested.action("lengths") == "NO_DATA"
