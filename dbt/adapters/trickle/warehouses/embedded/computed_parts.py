"""Parts of a statement that Spark computes before it: kept under their names while the statement runs.

Not by CACHE TABLE: Spark would analyse such a view's text anew for each of its readers, which is what they are for.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession
from trickle import Part


@contextmanager
def computed_first(session: EmbeddedSession, parts: Sequence[Part]) -> Generator[None, None, None]:
    """The names are this session's own; they are gone when the statement is done, or has failed."""
    try:
        for part in parts:
            session.compute(part.name, part.query)
        yield
    finally:
        for part in parts:
            session.forget(part.name)
