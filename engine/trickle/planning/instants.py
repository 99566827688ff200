"""The instants of a refresh: which one conditions on the clock are judged by, and which one is shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from trickle.catalog.frontier import FIRST_ENGINE, Frontier, Stamp
from trickle.catalog.happened import NotVersioned
from trickle.catalog.probe import Probe
from trickle.plan.clock import ClockCall
from trickle.plan.instant import Clock, Instants

ZONE = "time_zone"
"""The session's zone among the settings of the contract."""


@dataclass(frozen=True)
class AsOf:
    """What a stored table stands for: its sources at versions, the clock at instants."""

    frontier: Frontier
    instants: Instants


def as_of(stamp: Stamp) -> AsOf:
    """What the stamp says."""
    return AsOf(stamp.frontier, instants_of(stamp))


def instants_of(stamp: Stamp) -> Instants:
    """Those a stored table stands for."""
    now = stamp.frontier.now if stamp.frontier.now is not None else stamp.data_timestamp
    return Instants(now, stamp.data_timestamp, stamp.contract.get(ZONE, "UTC"))


def shows_another(state: Stamp, clock_calls: Collection[ClockCall]) -> bool:
    """Whether the stored rows show another instant than the stamp says.

    The first release rendered the newest commit of the sources, and recorded that of the base tables behind them.
    """
    if state.engine != FIRST_ENGINE or not any(reading.shown for reading in clock_calls):
        return False
    rendered = max((one.committed_at for one in state.frontier.sources.values()), default=state.data_timestamp)
    return rendered != state.data_timestamp


def clock_of(
    state: Stamp | None,
    probes: Mapping[str, Probe],
    now: int,
    contract: Mapping[str, str],
    data: int | None = None,
) -> Clock:
    """The instants of the last refresh and those of one that runs now. `data` is what the caller knows of the second.

    Time never goes back, though a machine's clock may: what has come in by time would have to leave again.
    """
    before = instants_of(state) if state is not None else None
    instant = now if before is None else max(now, before.now)
    after = Instants(instant, data_timestamp(state, probes, instant, data), contract.get(ZONE, "UTC"))
    return Clock(before or after, after)


def data_timestamp(state: Stamp | None, probes: Mapping[str, Probe], now: int, data: int | None = None) -> int:
    """The instant rows stand for, which stays until data changes.

    It is the newest commit behind the sources, as the caller knows it; else the sources' own newest commit; else the
    instant of the run.
    """
    if state is not None and probes and all(probe.is_quiet for probe in probes.values()):
        return state.data_timestamp
    if data is not None:
        return data
    versioned = [probe.now.committed_at for probe in probes.values() if not isinstance(probe.happened, NotVersioned)]
    return max(versioned, default=now)
