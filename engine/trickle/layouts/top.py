"""Top: what must be stored so that the first rows of an order can be maintained: some more rows than are shown.

Each stored row is a distinct row of the input, with how often it occurs there (rows) and how often it is shown (count).
What is known of the rest of the input is one number, the same in every row:

WHOLE       nothing is missing: the input has no other rows
PREFIX      every row of the input that comes before the last stored one is stored; others come after
EXHAUSTED   too many rows tie at the end of what is stored: the next change reads the input again
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from trickle.layouts.groups import COUNT, ROWS
from trickle.operators import Ordering, Project, TopK
from trickle.plan.op import Op
from trickle.plan.scalar import Named, column_scalar
from trickle.plan.schema import Schema
from trickle.types import can_be_stored

KNOWN = "__trickle_known"
WHOLE, PREFIX, EXHAUSTED = 2, 1, 0
SPARE = 100
"""At least so many spare rows are kept, and as many again as are shown if that is more."""


@dataclass(frozen=True)
class Top:
    """The first rows of an order."""

    columns: Schema
    input: Op
    """Every row there is to choose from: visible columns under their visible names, then hidden order columns."""
    order: tuple[Ordering, ...]
    """A total order of the input's rows."""
    limit: int
    offset: int
    spare: int
    """Rows to keep beside those that are shown: they take the place of those that go."""

    @cached_property
    def hidden_order(self) -> tuple[str, ...]:
        """Columns of the order that users do not see."""
        return tuple(name for name in self.input.schema.names if name not in self.columns)

    @property
    def stored(self) -> tuple[str, ...]:
        return (*self.columns.names, COUNT, *self.hidden_order, ROWS, KNOWN)

    @property
    def needed(self) -> int:
        """Rows without which the answer is not known."""
        return self.limit + self.offset

    @property
    def kept(self) -> int:
        return self.needed + self.spare


def top_of(root: Op, visible: Schema) -> Top | None:
    """The layout of a plan that ends in a TopK, perhaps under projections that only drop and rename columns."""
    shown = tuple(root.schema.names)
    while isinstance(root, Project) and all(item.value.column_name for item in root.items):
        names = {item.name: item.value.column_name or "" for item in root.items}
        shown = tuple(names[name] for name in shown)
        root = root.child
    if not isinstance(root, TopK):
        return None
    renamed = _names(root, shown, visible.names)
    rows = Project(root.child, tuple(Named(new, column_scalar(old)) for old, new in renamed))
    if not all(can_be_stored(one.parsed_type) for one in rows.schema):
        return None
    new_name = dict(renamed)
    order = tuple(replace(item, column=new_name[item.column]) for item in root.total_order)
    spare = max(root.limit + root.offset, SPARE)
    return Top(visible, rows, order, root.limit, root.offset, spare)


def _names(top: TopK, shown: Sequence[str], visible: Sequence[str]) -> list[tuple[str, str]]:
    """Column of the plan → column of the storage: the visible ones first. A column shown twice is stored twice."""
    pairs = list(zip(shown, visible))
    rest = [name for name in top.schema.names if name not in shown]
    return [*pairs, *((name, f"__trickle_order_{place + 1}") for place, name in enumerate(rest))]
