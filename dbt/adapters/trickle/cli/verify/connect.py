"""The ring of a Spark that is reached by Spark Connect: histories are read by SQL, and no file is opened."""

from __future__ import annotations

from dbt.adapters.trickle.cli.verify.session_ring import SessionRing
from dbt.adapters.trickle.history.sql_history import SqlHistory
from dbt.adapters.trickle.warehouses.connect.session import ConnectSession
from trickle.sql.build import table as table_named
from trickle.sql.text import to_text


class ConnectRing(SessionRing):
    """The server at an address as sc://host:port; its schemas `scenario_1` and so on are created and dropped.

    What a case says about Spark holds for it too.
    """

    def __init__(self, address: str) -> None:
        super().__init__(ConnectSession(address))

    def close(self) -> None:
        self._session.close()

    def history(self, schema: str, table: str) -> SqlHistory:
        return SqlHistory(self._session, to_text(table_named((schema, table)), pretty=False))
