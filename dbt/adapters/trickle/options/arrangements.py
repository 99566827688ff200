"""arrangements: whether groupings inside a query are kept as stream tables of their own, which the query then reads."""

from __future__ import annotations

from enum import Enum

from dbt.adapters.trickle.options.key import Key, one_of


class Arranging(Enum):
    """When groupings inside a query are kept."""

    AUTO = "auto"
    """Where a grouping reads much, by a key that is spread over the files of what it reads."""
    ALWAYS = "always"
    """Every grouping that can be kept."""
    NONE = "none"


_choice = one_of("arrangements", *(way.value for way in Arranging))


def _read(value: object) -> Arranging:
    return Arranging(_choice(value))


ARRANGEMENTS = Key("arrangements", "auto", _read)
