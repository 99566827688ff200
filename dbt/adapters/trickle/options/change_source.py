"""change_source: how the changes of sources are read, for all sources or for named ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.options.key import Key, one_of

_kind = one_of("change_source", "auto", "append", "feed")


@dataclass(frozen=True)
class ChangeSources:
    """`auto`, `append` or `feed` for each source."""

    default: str = "auto"
    of: Mapping[str, str] = field(default_factory=dict)
    """Source, in lower case → kind, for sources that are named in the config."""

    def kind(self, source: str) -> str:
        return self.of.get(source, self.default)


def _read(value: object) -> ChangeSources:
    if isinstance(value, Mapping):
        return ChangeSources(of={str(source).lower(): _read_kind(kind) for source, kind in value.items()})
    return ChangeSources(_read_kind(value))


def _read_kind(value: object) -> str:
    if value in ("diff", "poll", "changes"):
        raise CompilationError(
            f"`change_source: {value}` is not yet supported; write auto, append or feed, "
            "or a mapping of sources to these values."
        )
    return _kind(value)


CHANGE_SOURCE = Key("change_source", "auto", _read)
