"""Notes on inputs of a stream table that other models build and nobody maintains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dbt.adapters.trickle.catalog.pins import Invocation
from dbt.adapters.trickle.catalog.source_catalog import SourceCatalog
from dbt.adapters.trickle.history.delta_files import DeltaLog
from dbt.adapters.trickle.history.delta_files.rows import rows_since, rows_until
from dbt.adapters.trickle.project.nodes import Node
from dbt.adapters.trickle.versions.choice import VersionChoice
from dbt.adapters.trickle.versions.history import WarehouseHistory
from dbt.adapters.trickle.versions.version_options import VersionOptions
from trickle import Reason, SourcePosition
from trickle.reasons import reason

INLINED = frozenset({"view", "ephemeral"})


def notes_on_nodes(
    model: str, reading: VersionChoice, nodes: Mapping[str, Node], run_started: int, warehouse: SourceCatalog
) -> tuple[Reason, ...]:
    """Models read without dbt knowing it, and tables that may reflect other versions than this run."""
    if model not in nodes:
        return ()
    makers = {".".join(node.relation): node for node in nodes.values() if node.kind != "source" and _is_table(node)}
    read = [makers[name] for name in reading.read if name in makers and makers[name].id != model]
    upstream = _upstream(model, nodes)
    unordered = [node for node in read if node.id not in upstream]
    notes = [reason("model_read_as_source", what=_name(node), detail=node.label) for node in unordered]
    unmaintained = [_note_on(node, reading, nodes, run_started, warehouse) for node in read if not node.is_stream_table]
    return (*notes, *(note for note in unmaintained if note is not None))


def _note_on(
    made: Node, reading: VersionChoice, nodes: Mapping[str, Node], run_started: int, warehouse: SourceCatalog
) -> Reason | None:
    """Whether a table that dbt made may hold other rows of a base table than the model's other inputs."""
    position = reading.positions.get(_name(made))
    if position is None:
        return None
    for node in _tables_behind(made, nodes):
        name = _name(node)
        if node.is_stream_table:
            difference = _other_position(name, reading, position, warehouse)
            if difference:
                return reason("made_apart", what=_name(made), detail=f"{name} {difference}")
        elif name in reading.positions:
            difference = _other_version(warehouse.log(node.relation), reading.positions[name], position, run_started)
            if difference:
                return reason("made_apart", what=_name(made), detail=f"{name} {difference}")
    return None


def _other_version(log: DeltaLog, read: SourcePosition, made: SourcePosition, run_started: int) -> str:
    """Whether a table made at one moment may have read another version than the one read now; '' if it cannot have."""
    if not log.has(read.version):
        return ""
    following = rows_until(log, read.version) + 1
    if log.has(following) and log.commit(following).committed_at <= made.committed_at:
        return "was written to between its pinned version and then"
    written = log.commit(rows_since(log, read.version)).committed_at
    if made.committed_at < written:
        return "was written to after it was made"
    if made.committed_at >= run_started and written > run_started:
        return "was written to while the run made it"
    return ""


def _other_position(table: str, reading: VersionChoice, made: SourcePosition, warehouse: SourceCatalog) -> str:
    """The same for a stream table that was read, which is always read as it is."""
    history = WarehouseHistory(warehouse, warehouse.invocation or Invocation())
    if not history.is_stream(table):
        return ""
    log = history.storage_log(table)
    if log.commit(rows_since(log, log.latest)).committed_at > made.committed_at:
        return "was refreshed after it was made"
    option = next(VersionOptions(history).of(table), None)
    for base, span in (option.vector if option is not None else {}).items():
        read = reading.positions.get(base)
        if read is not None and span.intersection(history.same_rows(base, read)) is None:
            return f"reflects another version of {base}"
    return ""


def _tables_behind(node: Node, nodes: Mapping[str, Node]) -> Iterator[Node]:
    """The tables whose rows a model's own SELECT reads: views and ephemeral models are looked through."""
    for read in node.reads:
        source = nodes.get(read)
        if source is None:
            continue
        if source.materialized in INLINED:
            yield from _tables_behind(source, nodes)
        else:
            yield source


def _upstream(model: str, nodes: Mapping[str, Node]) -> frozenset[str]:
    upstream: set[str] = set()
    waiting = [model]
    while waiting:
        for read in nodes[waiting.pop()].reads:
            if read in nodes and read not in upstream:
                upstream.add(read)
                waiting.append(read)
    return frozenset(upstream)


def _is_table(node: Node) -> bool:
    return node.materialized not in INLINED


def _name(node: Node) -> str:
    return ".".join(node.relation)
