"""Reading what kind of thing a relation is out of Spark's `SHOW TABLE EXTENDED`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from dbt.adapters.contracts.relation import RelationType

from dbt.adapters.trickle.relation import TrickleRelation

# Whole lines, and the first of each: the text of a view or a comment further down may contain the same words.
_TYPE = re.compile(r"^Type: (\S+)", re.MULTILINE)
_PROVIDER = re.compile(r"^Provider: (\S+)", re.MULTILINE)


def relations_from(rows: Iterable[Sequence[Any]]) -> list[TrickleRelation]:
    """One relation for each row; temporary views belong to a session, not to the schema, and are left out."""
    return [_relation(schema, name, information) for schema, name, temporary, information in rows if not temporary]


def _relation(schema: str, name: str, information: str) -> TrickleRelation:
    kind = _first(_TYPE, information)
    is_view = kind.endswith("VIEW")
    provider = "" if is_view else _first(_PROVIDER, information).lower()
    return TrickleRelation.create(
        schema=schema,
        identifier=name,
        type=RelationType.View if is_view else RelationType.Table,
        information=information,
        is_delta=provider == "delta",
        is_iceberg=provider == "iceberg",
        is_hudi=provider == "hudi",
    )


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match.group(1) if match else ""
