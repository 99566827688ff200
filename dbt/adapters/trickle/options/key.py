"""Key: a config key of a stream table, its default, and the function that validates its value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from dbt_common.exceptions import CompilationError

Value = TypeVar("Value", covariant=True)


@dataclass(frozen=True, eq=False)
class Key(Generic[Value]):
    """`read` returns the validated value, or raises `refusal`."""

    name: str
    default: object
    """As a user would write it; None if the key is left out."""
    read: Callable[[object], Value]
    ours: bool = True
    """False for keys of dbt and dbt-spark, which are not suggested for a misspelt key."""
    aliases: tuple[str, ...] = ()


def refusal(key: str, value: object, allowed: str) -> CompilationError:
    return CompilationError(f"`{key}: {value}` is not allowed; write {allowed}.")


def one_of(key: str, *allowed: str) -> Callable[[object], str]:
    """A reader of one of a few words. dbt passes its own keys as enums in some cases and as text in others."""

    def read(value: object) -> str:
        word = getattr(value, "value", value)
        if isinstance(word, str) and word.lower() in allowed:
            return word.lower()
        raise refusal(key, word, " or ".join(allowed))

    return read


def columns(key: str) -> Callable[[object], tuple[str, ...]]:
    """A reader of a column or a list of columns."""

    def read(value: object) -> tuple[str, ...]:
        if value is None:
            return ()
        names = [value] if isinstance(value, str) else value
        if isinstance(names, (list, tuple)) and names and all(isinstance(n, str) and n.strip() for n in names):
            return tuple(name.strip() for name in names)
        raise refusal(key, value, "a column or a list of columns")

    return read
