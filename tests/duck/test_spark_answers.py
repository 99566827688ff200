"""What Spark answered to many small subqueries is what their plans answer, wherever IN, NOT and LIMIT stand."""

from __future__ import annotations

import pytest

from dbt.adapters.trickle.cli.verify.duck_dialect import translated
from tests.oracle.compiled import compiled
from tests.oracle.duck import duck, load
from tests.oracle.recorded import Recorded, as_text, recorded, world
from trickle import InvalidView
from trickle.operators import TopK
from trickle.plan.op import walk
from trickle.render.reads import Binding
from trickle.render.render import render
from trickle.sql.text import to_text

ANSWERED = [one for one in recorded() if one.rows is not None]
REFUSED = [one for one in recorded() if one.rows is None]


@pytest.fixture(scope="module")
def tables() -> Binding:
    return load(world())


@pytest.mark.parametrize("one", ANSWERED, ids=lambda one: one.sql)
def test_a_plan_answers_what_spark_does(one: Recorded, tables: Binding) -> None:
    """Or the query is recomputed, with its reason. Which rows a LIMIT without an order takes is Spark's whim."""
    view = compiled(one.sql, world())
    if not view.incremental:
        assert view.reasons
        return
    if any(isinstance(op, TopK) and not op.order for op in walk(view.plan)):
        assert view.settles_ties
        return

    query = translated(to_text(render(view.plan, tables)))

    assert as_text(duck().execute(query).fetchall()) == one.rows


@pytest.mark.parametrize("one", REFUSED, ids=lambda one: one.sql)
def test_what_spark_refuses_is_no_view(one: Recorded) -> None:
    """It is told before anything is written, in a sentence."""
    with pytest.raises(InvalidView):
        compiled(one.sql, world())


def test_most_are_maintained() -> None:
    """Those that are not have an IN whose answer is left to chance."""
    recomputed = [one.sql for one in ANSWERED if not compiled(one.sql, world()).incremental]

    assert len(recomputed) < len(ANSWERED) / 8
