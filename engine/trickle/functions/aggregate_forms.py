"""The forms in which aggregates are written down: what most of a form's functions share."""

from __future__ import annotations

from functools import partial

from trickle.functions.record import Determinism, Function, OverNoRows, Role

aggregate = partial(Function, role=Role.AGGREGATE, over_no_rows=OverNoRows.NULL)
"""A function of the bag of its arguments."""

chosen = partial(aggregate, determinism=Determinism.ORDER)
"""An aggregate with several right answers, of which `ties` says which is meant."""

sketch = partial(Function, role=Role.AGGREGATE)
"""A function of the bag of its arguments that may answer a bitmap or a sketch, even of nothing."""

of_any_order = partial(Function, role=Role.AGGREGATE, determinism=Determinism.ORDER)
"""A sketch or an approximation that depends on the order in which it meets its rows, or on chance."""
