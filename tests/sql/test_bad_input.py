"""What users write wrongly is told in a sentence, with its place, and before anything else."""

from __future__ import annotations

import pytest

from tests.facts import compiled
from tests.snapshots.shop import resolve
from trickle import Column, InvalidView, Schema
from trickle.sql.build import table

BAD = (
    ("select order_id from shop.orders where", 34, "something is missing here, near 'where'"),
    ("selct order_id from shop.orders", 16, "this is not expected here, near 'from'"),
    ("select 'abc from shop.orders", 8, "a quotation begins here and has no end"),
    ('select order_id from shop.orders where status = "paid', 49, "a quotation begins here and has no end"),
    ("select 'it''s', 'don\\'t', `a from shop.orders", 27, "a quotation begins here and has no end"),
    ("select 1 /* one from shop.orders", 10, "a comment begins here and has no end"),
    ("select {{ ref('x') }} from shop.orders", 8, "nothing of Spark SQL begins with a brace"),
    ("select order_id from shop.order", 22, "there is no table or view shop.order"),
    ("select amout from shop.orders", 8, "there is no column amout"),
    (
        "select order_id, name from shop.orders union all by name select name, order_id from shop.orders",
        65,
        "Spark SQL has no UNION BY NAME",
    ),
    ("select status.word from shop.orders", 8, "status.word is read as a field of the column"),
    (
        "select status.order_id, (select count(*) from shop.orders where status.order_id > 1) as n "
        "from shop.orders as status",
        65,
        "status.order_id is read as a field of the column orders.status, but that is STRING",
    ),
    ("select sum(sum(amount)) from shop.orders", 8, "an aggregate stands inside an aggregate"),
    ("select row_number() from shop.orders", 8, "row_number() says nothing without OVER (…)"),
    ("select order_id from shop.orders limit -1", 41, "LIMIT takes a whole number from 0 to 2147483647, not -1"),
    ("select order_id from shop.orders limit 'a'", 40, "LIMIT takes a whole number from 0 to 2147483647, not 'a'"),
    (
        "select order_id from shop.orders where order_id in (select customer_id, name from shop.customers)",
        40,
        "IN compares 1 values with a subquery of 2 columns",
    ),
    (
        "select (select customer_id, name from shop.customers) from shop.orders",
        16,
        "a scalar subquery must have one column, not 2",
    ),
    ("select id from range(1, 2, 0)", 16, "the step of range() is zero"),
    ("select order_id from shop.orders; select 1", 35, "the model must be one SELECT, not 2 statements"),
    ("delete from shop.orders", 1, "the model must be a SELECT, not DELETE"),
    ("with q as (select 1) insert into shop.orders select * from q", 1, "the model must be a SELECT, not INSERT"),
    ("from shop.orders insert into a select 1 insert into b select 2", 1, "the model must be a SELECT, not INSERT"),
    ("create table q as select 1", 1, "the model must be a SELECT, not CREATE"),
    ("show tables", 1, "the model must be a SELECT, not SHOW"),
    ("select from shop.orders", 13, "SELECT is followed by no columns"),
    ("select order_id, from shop.orders", 16, "nothing follows this comma"),
    ("select upper(status,) from shop.orders", 20, "nothing follows this comma"),
    ("select ? from shop.orders", 8, "this parameter has no value here"),
    ("select :day from shop.orders", 18, "this parameter has no value here"),
    ("select order_id from shop.orders@v1", 33, "nothing of Spark SQL begins with @"),
    ("{% if x %} select 1 {% endif %}", 1, "nothing of Spark SQL begins with a brace"),
    ("select (order_id from shop.orders", 18, ") is missing here, near 'from'"),
    ("select order_id) from shop.orders", 16, "this is not expected here, near ')'"),
    ("select [1 from shop.orders", 11, "] is missing here, near 'from'"),
    ("select case when then 1 end from shop.orders", 25, "something is missing here, near 'end'"),
    ("select cast(order_id as) from shop.orders", 24, "Expected TYPE after CAST, near ')'"),
    ("select order_id from", 17, "the name of a table is missing here, near 'from'"),
    ("with q as (select 1)", 20, "nothing follows WITH, near ')'"),
    (
        "select sum(order_id, amount) from shop.orders",
        28,
        "this call has more arguments than the function takes, near ')'",
    ),
    ("select order_id from shop.orders where amount between 1", 55, "something is missing here, near '1'"),
    ("select order_id from shop.orders order by", 34, "something is missing here, near 'order by'"),
    ("select top 3 order_id from shop.orders", 12, "this is not expected here, near '3'"),
    (
        "select status, count(*) from shop.orders group by status having rank() over (order by status) = 1",
        65,
        "in HAVING",
    ),
    (
        "select order_id from shop.orders order by exists (select 1 from shop.customers) limit 1",
        58,
        "ORDER BY cannot ask a subquery whether it has rows",
    ),
    ("select order_id from shop.orders limit 1.5", 40, "LIMIT takes a whole number from 0 to 2147483647, not 1.5"),
    (
        "select order_id from identifier('shop.' || 'orders')",
        22,
        "which table this names is not known before the query runs",
    ),
    (
        "select order_id from shop.orders join shop.customers on order_id = customer_id",
        68,
        "the name customer_id is ambiguous: orders.customer_id, customers.customer_id all answer to it",
    ),
    ("select z.order_id from shop.orders", 8, "there is no column z.order_id"),
    ("select * except (nothing) from shop.orders", 8, "* EXCEPT names a column that is not there: nothing"),
    ("select sum(*) from shop.orders", 8, "sum() takes one value, and * stands for 4 here"),
    (
        "select status, amount, sum(amount) from shop.orders group by status",
        16,
        "a column is neither grouped by nor inside an aggregate",
    ),
    ("select order_id from shop.orders where sum(amount) > 1", 40, "an aggregate cannot stand in WHERE"),
    ("select status from shop.orders group by sum(amount)", 41, "an aggregate cannot be a GROUP BY key"),
    (
        "select status, count(*) from shop.orders group by 3",
        51,
        "GROUP BY 3 points past the SELECT list, which has 2 columns",
    ),
    (
        "select order_id from shop.orders order by 2 limit 1",
        43,
        "ORDER BY 2 points past the SELECT list, which has 1 columns",
    ),
    (
        "select order_id from shop.orders where row_number() over (order by order_id) = 1",
        40,
        "a window function cannot stand in WHERE",
    ),
    (
        "select count(*) from shop.orders group by row_number() over (order by order_id)",
        43,
        "a window function cannot stand in GROUP BY",
    ),
    (
        "select o.order_id from shop.orders o join shop.customers c on o.customer_id = rank() over (order by name)",
        79,
        "a window function cannot stand in ON",
    ),
    (
        "select o.order_id from shop.orders o join shop.customers c on sum(o.amount) = c.customer_id",
        63,
        "an aggregate cannot stand in ON",
    ),
    (
        "select sum(row_number() over (order by order_id)) from shop.orders",
        12,
        "a window function cannot stand in an aggregate",
    ),
    (
        "select count(distinct amount) over (partition by status) from shop.orders",
        8,
        "count(DISTINCT …) cannot be a window function",
    ),
    ("select rank() over (partition by status) from shop.orders", 8, "rank() OVER needs an ORDER BY"),
    (
        "select lag(amount) over (order by order_id rows between 1 preceding and current row) from shop.orders",
        8,
        "lag() looks at one row, and takes no frame",
    ),
    (
        "select sum(amount) over (order by order_id rows between 1 following and 1 preceding) from shop.orders",
        8,
        "the frame ends before it begins",
    ),
    (
        "select sum(amount) over (order by order_id rows between current row and unbounded preceding) from shop.orders",
        8,
        "the frame ends before it begins",
    ),
    (
        "select upper(status) filter (where amount > 1) from shop.orders",
        8,
        "upper() is no aggregate, and takes no FILTER",
    ),
    (
        "select sum(amount) filter (where max(amount) > 1) from shop.orders",
        8,
        "FILTER holds an aggregate or a window function",
    ),
    ("select order_id from shop.orders where order_id in ()", 40, "IN () compares with nothing"),
    ("with q as (select 1), q as (select 2) select * from q", 6, "two queries of one WITH are called q"),
    ("select order_id from shop.orders qualify order_id = 1", 42, "QUALIFY asks for no window function"),
    (
        "select grouping(status) from shop.orders group by status",
        8,
        "grouping() needs GROUPING SETS, ROLLUP or CUBE in GROUP BY",
    ),
    (
        "select order_id from shop.orders union select order_id, status from shop.orders",
        47,
        "the branches of UNION have 1 and 2 columns",
    ),
    ("with q(a, b) as (select 1) select * from q", 6, "the column list has 2 names for 1 columns"),
    ("values (1, 2), (3)", 9, "the rows of VALUES have different numbers of columns"),
    (
        "select order_id from shop.orders where order_id > all (select customer_id from shop.customers)",
        63,
        "Spark does not compare with ALL of a subquery",
    ),
    (
        "select order_id from shop.orders where (order_id, status) in (select customer_id from shop.customers)",
        41,
        "IN compares 2 values with a subquery of 1 columns",
    ),
    (
        "with recursive q as (select * from q) select * from q",
        16,
        "a CTE that reads itself must be an anchor UNION ALL a step, and only the step may read it",
    ),
    ("select name from shop.customers left semi join shop.orders using (nothing)", 48, "there is no column nothing"),
    (
        "select o.status from shop.customers c left semi join shop.orders o on o.customer_id = c.customer_id",
        8,
        "there is no column o.status",
    ),
    ("select * from shop.orders unpivot (v for n in (amount, nothing))", 56, "there is no column nothing"),
    ("select * from shop.orders pivot (amount for status in ('a'))", 60, "FOR is missing here, near ')'"),
    ("select sum(amount) over w from shop.orders", 25, "there is no window w"),
    ("select sum(amount) over W from shop.orders window w as (partition by status)", 25, "there is no window W"),
    (
        "select sum(amount) over (w order by order_id) from shop.orders window w as (partition by status)",
        26,
        "Spark takes the window w as it is, with nothing added",
    ),
    ("select *", 8, "the SELECT list names no column"),
    ("select sum(amount) over as s from shop.orders", 8, "OVER is followed by no window"),
    (
        "select sum(amount) over v from shop.orders window w as (partition by status), v as (w order by order_id)",
        85,
        "Spark takes the window w as it is, with nothing added",
    ),
    ("select max_by(amount) from shop.orders", 8, "max_by() takes 2 arguments at least"),
    ("select count(distinct) from shop.orders", 8, "count() takes an argument at least"),
    ("select listagg(status) within group () from shop.orders", 8, "WITHIN GROUP needs an ORDER BY"),
    ("select count(o.*) from shop.orders o", 8, "Spark does not count one table's *"),
    ("select order_id + interval 3 as s from shop.orders", 8, "INTERVAL 3 has no unit"),
    ("select order_id from shop.orders where exists ()", 40, "EXISTS () asks nothing"),
    ("select order_id from shop.orders where order_id in (values (1), (2))", 40, "Spark takes VALUES within IN"),
    ("select * from shop.orders natural join shop.customers on true", 40, "a NATURAL join takes no condition"),
    (
        "select * from (select status, amount from shop.orders) pivot (amount as n for status in ('a'))",
        63,
        "PIVOT needs an aggregate",
    ),
    (
        "select status, count(*) as n from shop.orders group by status order by amount limit 3",
        72,
        "a column is neither",
    ),
    ("from shop.orders |> set amount = 1", 21, "this step of a pipe is not known, near 'set'"),
    ("from shop.orders |>", 18, "this step of a pipe is not known"),
    ("from shop.orders |> aggregate count(*) group by rollup (status)", 49, "this step of a pipe is not known"),
    ("select explode(array(1)) as (a, b) from shop.orders", 8, "explode() makes 1 columns, not 2"),
)


@pytest.mark.parametrize(("text", "column", "sentence"), BAD, ids=[text for text, _, _ in BAD])
def test_bad_input_is_told(text: str, column: int, sentence: str) -> None:
    """What is wrong, and where."""
    with pytest.raises(InvalidView) as refused:
        compiled(text, resolve)

    assert sentence in refused.value.message
    assert refused.value.position is not None
    assert (refused.value.position.line, refused.value.position.column) == (1, column)


@pytest.mark.parametrize("text", ["-- only a comment", "/* nothing */", ";", ""])
def test_a_model_without_a_query_is_told(text: str) -> None:
    """There is no place to point to."""
    with pytest.raises(InvalidView, match="the model holds no SELECT"):
        compiled(text, resolve)


@pytest.mark.parametrize("text", ["select 1;", "select 1;;", "select 1; -- the end", "table shop.orders;"])
def test_a_semicolon_at_the_end_is_left_out(text: str) -> None:
    """Wherever the text becomes part of a statement."""
    view = compiled(text, resolve)

    assert ";" not in view.pinned.at(lambda _: table(("a", "b")))
    assert view.incremental


def test_a_table_with_a_version_of_its_own_keeps_it() -> None:
    """No second one is written behind it."""
    view = compiled("select order_id from shop.orders version as of 3", resolve)

    assert view.pinned.at(lambda _: table(("a", "b"))).strip() == view.text
    assert view.sources == ()


def test_what_spark_reads_is_no_mistake() -> None:
    """Spark gave it columns: if we take it for wrong, it is recomputed, and says so."""
    text = "select nothing from shop.orders"

    view = compiled(text, resolve, Schema((Column("nothing", "int"),)))

    assert [one.code for one in view.reasons] == ["only_spark_reads"]
    assert "there is no column nothing" in view.reasons[0].message


def test_jinja_is_recognised() -> None:
    """A model that was not compiled is a mistake of its own."""
    with pytest.raises(InvalidView, match="compile the model first"):
        compiled("select * from {{ ref('orders') }}", resolve)
