"""tblproperties: dbt-spark's key; properties of the storage."""

from __future__ import annotations

from collections.abc import Mapping

from dbt.adapters.trickle.options.key import Key, refusal


def _read(value: object) -> Mapping[str, str]:
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return {str(name): _text(text) for name, text in value.items()}
    raise refusal("tblproperties", value, "a mapping of property names to values")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


TBLPROPERTIES = Key("tblproperties", None, _read, ours=False)
