"""The methods of connection that a profile may name.

A new one is a package beside this file, whose session implements `ports.Session` and dbt's connection handle, and a
line in METHODS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession

Say = Callable[[str], None]


@dataclass(frozen=True)
class Method:
    """How a session is had. `open` imports what it needs itself: nobody pays for a method that is not theirs."""

    name: str
    aliases: tuple[str, ...]
    open: Callable[[Any, Say], Any]
    """Credentials, and where sentences for the user go → a session, which connects with its first statement."""


def _embedded(credentials: Any, say: Say) -> EmbeddedSession:
    from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession

    return EmbeddedSession(credentials, say)


EMBEDDED = Method("embedded", ("session",), _embedded)
"""A Spark in dbt's own process. `session` is dbt-spark's name for it."""

METHODS = (EMBEDDED,)


def method_named(name: object) -> Method | None:
    return next((method for method in METHODS if name in (method.name, *method.aliases)), None)
