"""The file Delta writes beside most commits: what the table is after it. A convenience that may be missing or wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dbt.adapters.trickle.history.delta_files.commit import DataFile, ReaderProtocol, data_file, reader_protocol
from dbt.adapters.trickle.history.delta_files.log import LogFiles
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.ports import FileStatus

CLUSTERING = "delta.clustering"


@dataclass(frozen=True)
class Checksum:
    """The contents of a checksum file, as far as it has them."""

    metadata: Metadata | None
    protocol: ReaderProtocol | None
    files: tuple[DataFile, ...] | None
    clustering: tuple[str, ...]


def checksum_of(log: LogFiles, version: int) -> Checksum | None:
    """None where there is no such file, or one that does not read as Delta writes it."""
    try:
        return log.folder.parsed(log.checksum_file(version), _read)
    except OSError:
        # As where there is no such file: everything in it can be found elsewhere in the log.
        return None


def _read(content: bytes, status: FileStatus) -> Checksum | None:
    try:
        return _checksum(json.loads(content))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _checksum(content: Mapping[str, Any]) -> Checksum:
    metadata, protocol, files = content.get("metadata"), content.get("protocol"), content.get("allFiles")
    return Checksum(
        metadata=_definition(metadata) if metadata is not None else None,
        protocol=reader_protocol(protocol) if protocol is not None else None,
        files=tuple(data_file(body) for body in files) if files is not None else None,
        clustering=_clustering(content.get("domainMetadata") or ()),
    )


def _definition(body: Mapping[str, Any]) -> Metadata:
    """With its columns read once, so that a schema that cannot be read is found here."""
    definition = Metadata.from_action(body)
    assert definition.columns is not None
    return definition


def _clustering(domains: Any) -> tuple[str, ...]:
    for domain in domains:
        if domain.get("domain") == CLUSTERING and not domain.get("removed"):
            columns = json.loads(domain["configuration"])["clusteringColumns"]
            return tuple(".".join(parts) for parts in columns)
    return ()
