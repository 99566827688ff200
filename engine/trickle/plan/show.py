"""show: a plan as indented text, equal for equal plans. Used by explain, errors and tests."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum

from trickle.plan.op import Op
from trickle.plan.scalar import Named, Scalar


def show(root: Op, depth: int = 0) -> str:
    """One line an operator, children indented."""
    line = "  " * depth + type(root).__name__ + _details(root)
    return "\n".join([line, *(show(child, depth + 1) for child in root.children)])


def _details(op: Op) -> str:
    parts = [_value(getattr(op, item.name)) for item in fields(op) if not _holds_ops(getattr(op, item.name))]
    shown = [part for part in parts if part]
    return f"({'; '.join(shown)})" if shown else ""


def _holds_ops(value: object) -> bool:
    return isinstance(value, Op) or (isinstance(value, tuple) and bool(value) and isinstance(value[0], Op))


def _value(value: object) -> str:
    match value:
        case Scalar():
            return value.text
        case Named():
            return value.name if value.value.column_name == value.name else f"{value.value.text} AS {value.name}"
        case Enum():
            return str(value.value)
        case tuple():
            return ", ".join(_value(part) for part in value)
        case None:
            return ""
        case _:
            return str(getattr(value, "name", value))
