"""Models compiled as the adapter would compile them, over the tables of a world."""

from __future__ import annotations

from tests import facts
from tests.facts import Resolve
from tests.oracle.duck import answer, duck, in_duckdb
from tests.oracle.generate_data import World
from tests.oracle.generate_scalars import CLOCK
from tests.oracle.storage import View
from tests.oracle.zset import ZSet
from trickle import Column, CompiledView, Name, Options, Relation, Table


def resolver(world: World) -> Resolve:
    """Answers for the world's tables, whatever the case they are written in."""
    tables: dict[Name, Relation] = {
        (one.name,): Table((one.name,), tuple(Column(name, kind) for name, kind in one.types.items()))
        for one in world.tables
    }

    def resolve(name: Name) -> Relation | None:
        return tables.get(tuple(part.lower() for part in name))

    return resolve


def compiled(text: str, world: World, *disabled: str) -> CompiledView:
    """The model with some rewrites switched off."""
    asking = text.replace(CLOCK, "unix_timestamp()")
    return facts.compiled(asking, resolver(world), options=Options(disabled_rewrites=frozenset(disabled)))


def as_view(view: CompiledView) -> View:
    return View(view.plan, view.layout)


def show_tables(world: World, moment: str) -> None:
    """Let the users' own names stand for the tables at a moment."""
    for one in world.tables:
        duck().execute(f"CREATE OR REPLACE VIEW {one.name} AS FROM {one.name}_{moment}")


def own_answer(text: str, world: World, moment: str = "after") -> ZSet:
    """What the user's own text gives at a moment, without any of our engine."""
    show_tables(world, moment)
    seconds = world.clock[moment == "after"]
    told = text.replace(CLOCK, f"CAST({seconds} AS BIGINT)")
    return answer(in_duckdb(told))
