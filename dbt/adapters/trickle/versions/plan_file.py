"""A compiled model as bytes and back. Reading runs no code but the constructors of values that a plan is made of."""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Any

import xxhash
from sqlglot import exp

from trickle import CompiledView, Facts, InternalError

_DIGEST_BYTES = 16
_PLANS = "trickle."
_TREES = "sqlglot.expressions"


@dataclass(frozen=True)
class CachedPlan:
    """A compiled model with all it was compiled from."""

    fingerprint: str
    """Of everything it depends on that is known before its names are resolved."""
    facts: Facts
    view: CompiledView
    is_confirmed: bool
    """Whether Spark was asked if it reads the text as the parser does."""


class Damaged(ValueError):
    """The bytes are no cached plan."""


def to_bytes(plan: CachedPlan) -> bytes:
    """The plan with its definition, which reading it then need not parse the text for."""
    assert plan.view.definition
    content = io.BytesIO()
    _Writer(content, protocol=5).dump(plan)
    return xxhash.xxh3_128_digest(content.getvalue()) + content.getvalue()


def from_bytes(content: bytes) -> CachedPlan:
    """The cached plan, or Damaged."""
    digest, body = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    if xxhash.xxh3_128_digest(body) != digest:
        raise Damaged("the file is not as it was written")
    try:
        plan = _Reader(io.BytesIO(body)).load()
    except (
        pickle.UnpicklingError,
        InternalError,
        AttributeError,
        EOFError,
        ImportError,
        IndexError,
        KeyError,
        RecursionError,
        TypeError,
        ValueError,
    ) as failure:
        raise Damaged(str(failure)) from failure
    if not isinstance(plan, CachedPlan):
        raise Damaged("the file holds something else")
    return plan


class _Writer(pickle.Pickler):
    """sqlglot's own way of writing a tree names the modules to import: here a tree is its class and its arguments."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, exp.Expr):
            return tree, (type(value), dict(value.args), value._meta or {})  # noqa: SLF001 - reading `meta` makes one
        return NotImplemented


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module == __name__ and name in (tree.__name__, CachedPlan.__name__):
            return globals()[name]
        if module.startswith((_PLANS, _TREES)):
            admitted = super().find_class(module, name)
            if isinstance(admitted, type) and (is_dataclass(admitted) or issubclass(admitted, (exp.Expr, Enum))):
                return admitted
        raise Damaged(f"{module}.{name} is no part of a plan")


def tree(kind: type[exp.Expr], arguments: Mapping[str, Any], meta: Mapping[str, Any]) -> exp.Expr:
    """A node of a tree."""
    if not (isinstance(kind, type) and issubclass(kind, exp.Expr)):
        raise Damaged(f"{kind} is no node")
    node = kind(**arguments)
    if meta:
        node.meta.update(meta)
    return node
