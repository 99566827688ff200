"""What models read beside tables: views with settings of their own, users' functions, objects of one session."""

from __future__ import annotations

import pytest

from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from tests.spark.dbt_project import Project

pytestmark = pytest.mark.spark

FILES = "select distinct _metadata.file_name from {s}.sales"
TESTED = "  - {{name: {name}, data_tests: [stream_table_exact]}}\n"


@pytest.fixture
def house(shop: Project) -> Project:
    """The shop's orders with the instant of each, and no models yet."""
    for model in ("orders", "totals"):
        (shop.root / f"models/{model}.sql").unlink()
    shop.sql(
        "create table {s}.sales (id int, name string, at timestamp) using delta "
        "tblproperties ('delta.enableTypeWidening' = 'true')",
        "insert into {s}.sales values (1, 'ann', timestamp'2024-01-01 00:30:00'), "
        "(2, 'bob', timestamp'2024-06-01 12:00:00')",
    )
    return shop


def models(house: Project, **queries: str) -> None:
    """Stream tables that are tested, by name; `{s}` is the schema."""
    for name, sql in queries.items():
        house.model(name, sql.replace("{s}", house.schema))
    house.write("models/schema.yml", "models:\n" + "".join(TESTED.format(name=name) for name in queries))


def in_session(house: Project, *statements: str) -> None:
    """All in one session, as a notebook would."""
    session = EmbeddedSession(house._credentials, print)  # noqa: SLF001
    for statement in statements:
        session.rows(statement.replace("{s}", house.schema))


def test_a_view_shows_what_spark_shows(house: Project) -> None:
    """Under settings of its own, over tables that got columns, in a view that is read through, and with a collation."""
    in_session(
        house,
        "set spark.sql.session.timeZone = America/New_York",
        "create view {s}.days as select id, date_format(at, 'yyyy-MM-dd') as day from {s}.sales",
    )
    in_session(
        house,
        "create view {s}.counted as select day, count(*) as n from {s}.days group by day",
        "create view {s}.same_case default collation UTF8_LCASE as select id, 'a' = 'A' as same from {s}.sales",
        "create view {s}.everything as select * from {s}.sales",
        "create view {s}.evolving with schema evolution as select * from {s}.sales",
        "create view {s}.shown (number, who) as select id, name from {s}.sales",
        "alter table {s}.sales add columns (more int)",
    )
    names = ("days", "counted", "same_case", "everything", "evolving", "shown")
    models(house, **{f"of_{name}": f"select * from {{s}}.{name}" for name in names})
    built = house.dbt("run")
    house.sql("insert into {s}.sales values (3, 'cid', timestamp'2024-01-01 01:00:00', 7)")
    grown = house.dbt("build")

    assert [built.success, grown.success] == [True, True]
    for name in names:
        assert house.rows(f"of_{name}") == house.rows(name)
    reason = grown.response("of_counted")["reason"]
    assert f"{house.schema}.days is read by its name" in reason
    assert "spark.sql.session.timeZone America/New_York, and here that is UTC" in reason
    assert [grown.action(f"of_{name}") for name in ("everything", "evolving", "shown")] == ["APPEND"] * 3


def test_a_users_function_is_its_own(house: Project) -> None:
    """With its schema it is never Spark's; its definition counts, and so do those of the functions it calls."""
    house.sql(
        "create function {s}.upper(x string) returns string return concat(x, '!')",
        "create function {s}.twice(x int) returns int return x * 2",
        "create function {s}.more(x int, y int default 1) returns int return {s}.twice(x) + y",
        "create function {s}.sum(x int) returns int return -x",
        "create function {s}.range(n int) returns table (id int) return select n + count(*) from {s}.sales",
        "create function {s}.known(x int) returns boolean return x in (select id from {s}.raw_orders)",
        "create function {s}.today(x int) returns date return current_date()",
        "create function {s}.bytes as 'org.apache.hadoop.hive.ql.udf.generic.GenericUDFAbs'",
    )
    in_session(house, "use {s}", "create view {s}.doubled as select id, twice(id) as two from sales")
    models(
        house,
        shouted="select id, {s}.Upper(name) as name, system.builtin.upper(name) as big from {s}.sales",
        summed="select {s}.twice(id) as k, system.builtin.sum(`{s}`.`sum`(id)) as n from {s}.sales group by 1",
        deeper="select id, spark_catalog.{s}.more(id) as more from {s}.sales where {s}.more(id, y => 0) > 0",
        viewed="select two, count(*) as n from {s}.doubled group by two",
        ranged="select id from {s}.range(3)",
        asked="select id, {s}.known(id) as known from {s}.sales",
        dated="select id, {s}.today(id) as day, {s}.bytes(id) as b from {s}.sales",
    )
    built = house.dbt("run")
    house.sql("insert into {s}.sales values (3, 'cid', null)")
    grown = house.dbt("run")
    house.sql(
        "create or replace function {s}.twice(x int) returns int return x * 3",
        "delete from {s}.raw_orders where id = 1",
    )
    replaced = house.dbt("build")

    assert [one.success for one in (built, grown, replaced)] == [True] * 3
    assert house.rows("shouted") == [(1, "ann!", "ANN"), (2, "bob!", "BOB"), (3, "cid!", "CID")]
    assert house.rows("summed") == [(3, -1), (6, -2), (9, -3)]
    assert house.rows("deeper") == [(1, 4), (2, 7), (3, 10)]
    assert house.rows("viewed") == [(3, 1), (6, 1), (9, 1)]
    assert house.rows("ranged") == [(6,)]
    assert house.rows("asked") == [(1, False), (2, True), (3, True)]
    for name in ("shouted", "summed", "deeper", "viewed"):
        assert grown.response(name)["reason_code"] != "recompute"
    for name in ("summed", "deeper", "viewed"):
        assert replaced.action(name) == "REINITIALIZE"
        assert replaced.response(name)["reason"] == f"The function {house.schema}.twice changed since the last refresh."
    assert replaced.action("shouted") == "NO_DATA"
    for name, why in (("ranged", "Reading from"), ("asked", "it reads tables"), ("dated", "it asks the clock")):
        assert replaced.action(name) == "FULL"
        assert why in replaced.response(name)["reason"]


def test_what_one_session_has_is_refused(house: Project) -> None:
    """Temporary views, also in the place of a table, variables, substitutions and a USE are named in a sentence."""
    house.sql("create table default.only_here (id int) using delta", "insert into default.only_here values (1)")
    hook = '{{{{ config(pre_hook="{hook}") }}}} '
    models(
        house,
        temporary=hook.format(hook="create or replace temporary view tv as select 7 as id") + "select id from tv",
        shadowed=hook.format(hook="create or replace temporary view only_here as select 7 as id")
        + "select id from only_here",
        everywhere=hook.format(hook="create or replace global temporary view gv as select 7 as id")
        + "select id from global_temp.gv",
        variable=hook.format(hook="declare or replace variable least int default 1")
        + "select id from {s}.sales where id > least",
        spelt=hook.format(hook="declare or replace variable least int default 1")
        + "select id, system.session.least as x from {s}.sales",
        substituted=hook.format(hook="set least=1") + "select id from {s}.sales where id > ${least}",
        moved=hook.format(hook="use {{ target.schema }}") + "select id from sales",
        functional=hook.format(hook="create or replace temporary function tf(x int) returns int return x")
        + "select tf(id) as id from {s}.sales",
        innocent="select id from {s}.sales",
    )
    built = house.dbt("run", "--threads", "1")

    said = {
        "temporary": "the temporary view tv",
        "shadowed": "the temporary view only_here",
        "everywhere": "global temporary view",
        "variable": "a session variable",
        "spelt": "a session variable",
        "substituted": "holds ${least}",
        "moved": f"the current schema {house.schema}",
        "functional": "the temporary function tf",
    }
    assert {name: built.status(name) for name in said} == dict.fromkeys(said, "error")
    for name, words in said.items():
        assert words in built.message(name), built.message(name)
    assert built.action("innocent") == "FULL"
    house.sql("drop table default.only_here")


def test_what_says_where_rows_lie_is_asked_again(house: Project) -> None:
    """Files are written anew by OPTIMIZE; a random value is never compared with another one."""
    models(
        house,
        filed="select id, _metadata.file_name as file, input_file_name() as path from {s}.sales",
        tagged="select id, uuid() as tag from {s}.sales",
        sampled="select s.id, count(*) as n from {s}.sales tablesample (100 percent) as s group by s.id",
    )
    house.dbt("run")
    house.sql("insert into {s}.sales values (3, 'cid', null)", "optimize {s}.sales")
    moved = house.dbt("build")
    tests = {name: str(one.message) for name, one in moved.results.items() if "_exact_" in name}

    assert len(house.rows("filed")) == 3
    assert {file for _, file, _ in house.rows("filed")} == {row[0] for row in house.sql(FILES)}
    assert sorted(row[0] for row in house.rows("tagged")) == [1, 2, 3]
    assert house.rows("sampled") == [(1, 1), (2, 1), (3, 1)]
    for name, message in tests.items():
        assert ("cannot be compared with its SELECT" in message) == ("filed" not in name)
