"""Arrangements of a model as the adapter handles them: refreshed before it, and dropped with it or when it changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from dbt.adapters.base.meta import available

from dbt.adapters.trickle.history.delta_files import last_stamp
from dbt.adapters.trickle.methods.owned_storages import OwnedStorages, key_of
from dbt.adapters.trickle.refreshing.arranging import Below, hidden_model, note_on
from dbt.adapters.trickle.refreshing.decide import RefreshInput
from dbt.adapters.trickle.refreshing.refresh import Refresh
from dbt.adapters.trickle.refreshing.response import StreamTableResponse
from dbt.adapters.trickle.relation import TrickleRelation
from dbt.adapters.trickle.storages.arrangements import arrangements_in
from dbt.adapters.trickle.storages.storage_state import read_state
from trickle import Reason, SourcePosition
from trickle.planning.arrange import Arranged


class Arrangements(OwnedStorages):
    """An arrangement is a stream table: it has a view and a storage, and is refreshed as every other is."""

    trickle_run: Callable[[Refresh, Callable[[str], object]], StreamTableResponse]

    def _planned(self, given: RefreshInput, started: float) -> Refresh:
        raise NotImplementedError

    def _refresh_arrangements(self, model: RefreshInput, over: Arranged) -> Below:
        """Refresh the arrangements of a model, each to its commit."""
        positions: dict[str, SourcePosition] = {}
        notes: list[Reason] = []
        for own in over.arrangements:
            relation = self._arrangement_relation(model.relation, own.name[-1])
            storage, location_root = self._storage_relation(relation), model.model["config"].get("location_root")
            seen = self._listed(relation)
            given = replace(
                model,
                model=hidden_model(model.model),
                relation=relation,
                storage=storage,
                sql=own.query,
                facade_exists=seen is not None and seen.is_view,
                table_in_view_place=seen is not None and not seen.is_view,
                restored=(),
                began=int(time.time() * 1000),
                storage_elsewhere=bool(location_root) and self._is_in_another_folder(storage, location_root),
            )
            started = time.monotonic()
            response = self.trickle_run(self._planned(given, started), lambda text: None)
            notes.append(note_on(own.name, response.action, response.strategy, time.monotonic() - started))
            stamped = last_stamp(self._storage_log(relation, location_root))
            assert stamped is not None, f"{relation} was refreshed and has no stamp"
            positions.update(stamped.stamp.frontier.sources)
        return Below(positions, tuple(notes), int(time.time() * 1000))

    @staticmethod
    def _arrangement_relation(model: TrickleRelation, identifier: str) -> TrickleRelation:
        relation = model.incorporate(path={"identifier": identifier}, type="view")  # type: ignore[no-untyped-call]
        assert isinstance(relation, TrickleRelation)
        return relation

    @available.parse(lambda *_, **__: None)
    def trickle_drop_arrangements(self, relation: TrickleRelation) -> None:
        """Drop the arrangements that a stream table was made from last."""
        if self.trickle_storage(relation) is None:
            return
        stamp = read_state(self._storage_log(relation)).last_stamp
        for name in arrangements_in(stamp, key_of(relation)):
            self._drop_arrangement(relation, name[-1])

    def _drop_arrangement(self, model: TrickleRelation, identifier: str) -> None:
        relation = self._arrangement_relation(model, identifier)
        if self.trickle_shows(relation):
            self._session().run(f"DROP VIEW IF EXISTS {relation}")
        storage = self.trickle_storage(relation)
        if storage is not None:
            self._session().run(f"DROP TABLE IF EXISTS {storage}")
            self.trickle_clear_away(relation)
        for dropped in (relation, self._storage_relation(relation)):
            listed = self._listed(dropped)
            if listed is not None:
                self.cache_dropped(listed)
