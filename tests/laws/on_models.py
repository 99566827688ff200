"""The laws of whole models: SELECTs as text, compiled, rewritten, stored and refreshed."""

from __future__ import annotations

from tests.laws.statements import same
from tests.oracle.compiled import as_view, compiled, own_answer
from tests.oracle.duck import answer, duck, in_duckdb, load
from tests.oracle.generate_data import World
from tests.oracle.generate_queries import Model
from tests.oracle.interpret import interpret
from tests.oracle.storage import apply, begin, fill, right_strategies, state, stopped, stored
from trickle.plan.show import show
from trickle.planning.arrange import arranged
from trickle.render.render import render
from trickle.rewrite import REWRITES, rewrite
from trickle.sql.text import to_text

ALL_REWRITES = tuple(name for name, _ in REWRITES)


def lowered_is_the_model(model: Model) -> None:
    """The rendered plan of a model gives what the model itself gives, and so does the interpreted one."""
    binding = load(model.world)
    expected = own_answer(model.text, model.world)
    view = compiled(model.text, model.world)

    assert view.incremental, f"{model.text}\nis recomputed: {view.reasons}"
    query = render(view.plan, binding)
    same(answer(query), expected, lambda: f"{model.text}\nrendered as\n{to_text(query)}")
    same(interpret(view.plan, model.world.database), expected, f"{model.text}\ninterpreted")


def rewrites_keep_the_model(model: Model) -> None:
    """Each rewrite on or off: the same rows, the same columns; and none has anything left to do."""
    database = model.world.database
    plain = compiled(model.text, model.world, *ALL_REWRITES).plan
    expected = interpret(plain, database)
    for name in ALL_REWRITES:
        # What was lowered is the same whatever is switched off: only rewriting has to be done again.
        for off in (frozenset({name}), frozenset(ALL_REWRITES) - {name}):
            plan = rewrite(plain, off)
            same(interpret(plan, database), expected, f"{model.text}\nwith or without {name}")
            assert plan.schema.names == plain.schema.names
    rewritten = compiled(model.text, model.world).plan
    assert show(rewrite(plain)) == show(rewritten), "a model is not compiled to its rewritten plan"
    for name, rule in REWRITES:
        assert show(rule(rewritten)) == show(rewritten), f"{name} run again changed\n{show(rewritten)}"


def arranged_is_the_model(model: Model) -> None:
    """The text over arrangements gives what the model's own does, and each arrangement is a model of its own."""
    view = compiled(model.text, model.world)
    over = arranged(view, lambda fingerprint: (f"part_{fingerprint}",), lambda op, name: True)
    if over is None:
        return
    load(model.world)
    expected = own_answer(model.text, model.world)
    for own in over.arrangements:
        assert compiled(own.query, model.world).incremental, f"{own.query}\nof {model.text}"
        duck().execute(f"CREATE OR REPLACE TEMP TABLE {own.name[0]} AS {in_duckdb(own.query)}")
    same(own_answer(over.query, model.world), expected, f"{model.text}\nover arrangements as\n{over.query}")


def the_same_text_is_the_same_model(model: Model) -> None:
    """Comments and formatting are not part of a definition, and compiling twice gives one definition."""
    first = compiled(model.text, model.world)
    spread = model.text.replace(" FROM ", "\n  FROM  ").replace(", ", " -- a remark\n , ")
    second = compiled(f"/* head */ {spread} -- tail", model.world)

    assert compiled(model.text, model.world).definition == first.definition
    assert second.definition == first.definition, spread


def refreshes_keep_the_model_exact(model: Model, later: World) -> None:
    """Two refreshes in a row, by a different strategy each: the stored rows are those of the model's own text."""
    view = as_view(compiled(model.text, model.world))
    fill(view, stopped(load(model.world)), "start")
    begin(view, "start")
    for turn, world in enumerate((model.world, later)):
        binding = load(world)
        choices = sorted(right_strategies(view, world, binding), key=lambda one: one.name)
        if choices:
            apply(choices[turn % len(choices)], view, binding)
        how = choices[turn % len(choices)].name if choices else "nothing"
        same(stored(view), own_answer(model.text, world), f"{model.text}\nafter refresh {turn + 1} by {how}")
        fill(view, binding, "fresh")
        same(state(view, "storage"), state(view, "fresh"), f"{model.text}\nthe state after {how}")
