"""`s.*` of a struct stands for its fields, as far as its type says where their names end."""

from __future__ import annotations

from typing import Optional

import pytest

from tests.facts import compiled
from trickle import Column, InvalidView, Name, Relation, Schema, Table

KINDS = {
    "plain": "struct<a:int,B:decimal(9,2),deep:struct<c:string,d:array<struct<e:int>>>>",
    "quoted": "struct<`a`:int>",
    "odd": "struct<a b:int>",
    "doubtful": "struct<a:b:int>",
}


def resolve(name: Name) -> Optional[Relation]:
    return Table(name, Schema((Column("id", "int"), *(Column(one, kind) for one, kind in KINDS.items()))))


def shown(text: str) -> Optional[list[str]]:
    """The columns of the result; None where the query is recomputed."""
    view = compiled(text, resolve)
    return list(view.columns.names) if view.incremental else None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SELECT id, plain.* FROM shop.t", ["id", "a", "B", "deep"]),
        ("SELECT t.plain.deep.*, id FROM shop.t AS t", ["c", "d", "id"]),
        ("SELECT plain.* EXCEPT (b) FROM shop.t", ["a", "deep"]),
        ("SELECT quoted.* FROM shop.t", ["a"]),
        ("SELECT plain.* FROM shop.t AS plain", ["id", *KINDS]),
        ("SELECT plain.* EXCEPT (deep.c) FROM shop.t", None),
        ("SELECT odd.* FROM shop.t", None),
        ("SELECT doubtful.* FROM shop.t", None),
        ("SELECT * EXCEPT (plain.a) FROM shop.t", None),
    ],
)
def test_a_star_shows_fields(text: str, names: Optional[list[str]]) -> None:
    """A table called so comes first, and what is not certain is left to Spark."""
    assert shown(text) == names


def test_fields_have_their_types() -> None:
    """So what is above knows them."""
    view = compiled("SELECT b, deep.* FROM (SELECT plain.* FROM shop.t)", resolve)

    assert [one.type for one in view.columns] == ["decimal(9,2)", "string", "array<struct<e:int>>"]


def test_a_field_that_is_not_there_cannot_be_left_out() -> None:
    """It is told, as it is of a column."""
    with pytest.raises(InvalidView, match=r"EXCEPT names a field that is not there: zz"):
        compiled("SELECT plain.* EXCEPT (a, zz) FROM shop.t", resolve)
