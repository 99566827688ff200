"""DeltaLog: the TableHistory of a table whose log can be read file by file."""

from __future__ import annotations

from collections.abc import Mapping

from dbt.adapters.trickle.history.delta_files import at_version
from dbt.adapters.trickle.history.delta_files.commit import DataFile, FileFacts, ReaderProtocol
from dbt.adapters.trickle.history.delta_files.damage import damage
from dbt.adapters.trickle.history.delta_files.log import LogFiles
from dbt.adapters.trickle.history.delta_files.metadata import Metadata
from dbt.adapters.trickle.history.delta_files.snapshot import Size
from dbt.adapters.trickle.history.table_history import TableHistory


class DeltaLog(LogFiles):
    """No Spark and no Java: a refresh that finds nothing to do must cost milliseconds."""

    def at(self, version: int) -> DeltaLog:
        return DeltaLog(self.path, version, folder=self.folder)

    @property
    def whole(self) -> DeltaLog:
        return DeltaLog(self.path, folder=self.folder)

    def by_now(self) -> DeltaLog:
        """The log after this run has written to the table, for everybody in the run who asks from now on."""
        return DeltaLog(self.path, folder=self.folder.by_now())

    def definition(self, version: int) -> Metadata:
        return at_version.definition(self, version)

    def size(self, version: int) -> Size:
        return at_version.size(self, version)

    def protocol(self, version: int) -> ReaderProtocol:
        return at_version.protocol(self, version)

    def clustering(self, version: int) -> tuple[str, ...] | None:
        return at_version.clustering(self, version)

    def files(self, version: int) -> Mapping[str, FileFacts]:
        return at_version.files(self, version)

    def data_files(self, version: int) -> Mapping[str, DataFile]:
        return at_version.data_files(self, version)

    def damage(self) -> str:
        return damage(self)


_IS_A_HISTORY: type[TableHistory] = DeltaLog
