"""What a stamp promises holds on Spark: one instant for statement and stamp, one set of settings for all rows."""

from __future__ import annotations

import json

import pytest

from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.warehouses.embedded.irrelevant_settings import FAMILIES
from dbt.adapters.trickle.warehouses.embedded.relevant_settings import LISTED
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from tests.spark.dbt_project import Project
from tests.spark.spark_settings import all_settings, listed

pytestmark = pytest.mark.spark

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
    assert session.settings() == session.spark.conf.getAll


def test_a_clock_shown_over_stream_tables(shop: Project) -> None:
    """Exact after each refresh, two stream tables up, with the commit of the base table as the one instant."""
    shop.write(
        "models/clock.yml",
        f"models: [{{name: loaded, {BOTH_CHECKS}}}, {{name: seen, data_tests: [stream_table_exact]}}]",
    )
    shop.model("loaded", "select id, amount, current_timestamp() as loaded_at from {{ ref('orders') }}")
    shop.model("seen", "select l.*, current_timestamp() as seen_at from {{ ref('loaded') }} l where amount < 50")
    built = shop.dbt("build", "--select", "orders", "loaded", "seen", "--exclude", "stream_table_exact_orders_")
    shop.sql(
        "insert into {s}.raw_orders values (4, 'cid', 7), (5, 'ann', 100)", "delete from {s}.raw_orders where id = 3"
    )
    grown = shop.dbt("build", "--select", "orders", "loaded", "seen", "--exclude", "stream_table_exact_orders_")

    assert [built.success, grown.success] == [True, True]
    for name in ("loaded", "seen"):
        assert grown.response(name)["reason_code"] != "stored_rows_differ"
        assert grown.response(name)["data_timestamp"] == grown.response("orders")["data_timestamp"]
    assert len({instant for row in shop.rows("seen") for instant in row[2:]}) == 1


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
