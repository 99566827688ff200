"""StreamTableConfig: the validated configuration of a stream table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeVar, cast

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.options.float_sums import FLOAT_SUMS
from dbt.adapters.trickle.options.full_refresh_threshold import FULL_REFRESH_THRESHOLD
from dbt.adapters.trickle.options.key import Key
from dbt.adapters.trickle.options.keys import ALL, KEYS, OTHERS
from dbt.adapters.trickle.options.refresh_mode import REFRESH_MODE
from trickle import Options

Value = TypeVar("Value")


@dataclass(frozen=True)
class StreamTableConfig:
    """Values by key: `config[RETENTION]`."""

    values: Mapping[str, object]

    def __getitem__(self, key: Key[Value]) -> Value:
        return cast(Value, self.values[key.name])

    @property
    def engine(self) -> Options:
        """The engine's options."""
        return Options(
            refresh_mode=self[REFRESH_MODE],
            float_sums=self[FLOAT_SUMS],
            full_refresh_threshold=self[FULL_REFRESH_THRESHOLD],
        )


def read_config(config: Mapping[str, Any]) -> StreamTableConfig:
    """Validate a model's config; every error is one sentence with the key and the values it allows."""
    _refuse_misspelt(config)
    return StreamTableConfig({key.name: key.read(_value(config, key)) for key in ALL})


def _value(config: Mapping[str, Any], key: Key[Any]) -> object:
    for name in (key.name, *key.aliases):
        if name in config:
            return config[name]
    return key.default


def _refuse_misspelt(config: Mapping[str, Any]) -> None:
    for name in config:
        if name in KEYS or name in OTHERS:
            continue
        near = get_close_matches(str(name).lower(), KEYS, n=1, cutoff=0.84)
        if near:
            raise CompilationError(f"`{name}` is not a config of stream tables; did you mean `{near[0]}`?")
