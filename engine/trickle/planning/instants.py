"""The instants of a refresh: the one used in conditions on the clock, and the one of the shown values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from trickle.catalog.frontier import FIRST_ENGINE, Frontier, Stamp
from trickle.catalog.happened import NotVersioned
from trickle.catalog.probe import Probe
from trickle.plan.clock import ClockCall
from trickle.plan.instant import Clock, Instants

ZONE = "time_zone"
"""The contract's entry for the session's time zone."""


@dataclass(frozen=True)
class AsOf:
    """The versions and instants that a stored table reflects."""

    frontier: Frontier
    instants: Instants


def as_of(stamp: Stamp) -> AsOf:
    """The versions and instants recorded in a stamp."""
    return AsOf(stamp.frontier, instants_of(stamp))


def instants_of(stamp: Stamp) -> Instants:
    """The instants recorded in a stamp."""
    now = stamp.frontier.now if stamp.frontier.now is not None else stamp.data_timestamp
    return Instants(now, stamp.data_timestamp, stamp.contract.get(ZONE, "UTC"))


def shows_another_instant(state: Stamp, clock_calls: Collection[ClockCall]) -> bool:
    """Whether the stored rows show another instant than the stamp records.

    The first release used the newest commit of the sources, and recorded that of the base tables behind them.
    """
    if state.engine != FIRST_ENGINE or not any(call.shown for call in clock_calls):
        return False
    rendered = max(
        (position.committed_at for position in state.frontier.sources.values()), default=state.data_timestamp
    )
    return rendered != state.data_timestamp


def clock_of(
    state: Stamp | None,
    probes: Mapping[str, Probe],
    now: int,
    contract: Mapping[str, str],
    data: int | None = None,
) -> Clock:
    """The instants of the last refresh and of one that runs now. `data`: the data timestamp of the new one, if known.

    Time never goes back, though a machine's clock may: rows that entered by time would have to leave again.
    """
    before = instants_of(state) if state is not None else None
    instant = now if before is None else max(now, before.now)
    after = Instants(instant, data_timestamp(state, probes, instant, data), contract.get(ZONE, "UTC"))
    return Clock(before or after, after)


def data_timestamp(state: Stamp | None, probes: Mapping[str, Probe], now: int, data: int | None = None) -> int:
    """The instant of the rows, unchanged until data changes.

    The newest commit behind the sources, if the caller knows it; else the newest commit of the sources; else the
    instant of the run.
    """
    if state is not None and probes and all(probe.is_quiet for probe in probes.values()):
        return state.data_timestamp
    if data is not None:
        return data
    versioned = [probe.now.committed_at for probe in probes.values() if not isinstance(probe.happened, NotVersioned)]
    return max(versioned, default=now)
