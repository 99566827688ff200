"""The order of a plan's steps, such that whatever a refresh is cut off after, readers and the next run find it right.

    replaced:    view pinned to the old version, or storage dropped · storage · constraints · view · markers
    maintained:  names of files · stages · data with its stamp · properties · clustering · view · markers

The markers come last: without them the next run puts constraints and view up again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trickle.apply.steps import (
    Cluster,
    Constrain,
    Create,
    DataStep,
    Drop,
    PinView,
    PutView,
    SetProperties,
    Step,
)
from trickle.apply.target import Target


def steps_of_build(query: str, shown: str, target: Target) -> tuple[Step, ...]:
    """A new storage filled by a query. `shown` is the view's SELECT.

    A view that is in place and promises nothing by constraints is kept: it reads the new storage as it read the old.
    """
    return tuple(_build(query, shown, target))


def steps_of_change(data: Sequence[DataStep], shown: str, target: Target) -> tuple[Step, ...]:
    """The same storage with its rows changed, or with none changed. Each ALTER is a commit: only what differs."""
    return (*data, *_altered(target), *_view(shown, target, target.table.present))


def _build(query: str, shown: str, target: Target) -> Iterator[Step]:
    table = target.table
    puts_view = not target.view_in_place or bool(table.constraints)
    if not table.replaceable:
        yield Drop(target.storage, "Delta cannot replace it in place")
    elif target.view.pinned and puts_view:
        yield PinView(target.facade, target.view.pinned, target.view.pinned_properties)
    properties = {**table.properties, **({} if puts_view else table.markers)}
    yield Create(target.storage, query, properties, table.partition_by, table.cluster_by, table.location)
    if puts_view:
        for constraint in table.constraints:
            yield Constrain(target.storage, constraint.name, constraint.text)
        yield from _put(shown, target, table.properties)


def _altered(target: Target) -> Iterator[Step]:
    if target.table.altered_properties:
        yield SetProperties(target.storage, target.table.altered_properties, "properties changed")
    if target.table.altered_clustering is not None:
        yield Cluster(target.storage, target.table.altered_clustering)


def _view(shown: str, target: Target, present: Mapping[str, str]) -> Iterator[Step]:
    if not target.view_in_place:
        yield from _put(shown, target, present)


def _put(shown: str, target: Target, present: Mapping[str, str]) -> Iterator[Step]:
    view = target.view
    if view.table_in_its_place:
        yield Drop(target.facade, "the model was a table")
    yield PutView(target.facade, shown, view.columns, view.comment, view.properties)
    missing = {name: value for name, value in target.table.markers.items() if present.get(name) != value}
    if missing:
        yield SetProperties(target.storage, missing, "view and constraints stand")
