"""What past refreshes have taught about prices: for each strategy, by how much its estimates were wrong.

A stamp has the estimate of its refresh and what was known before it. The commit tells when that refresh was done. So
the table's own history is the memory, and whoever reads it learns the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from trickle.catalog.frontier import Stamp

ESTIMATED = "estimated"
"""In a stamp: the seconds the refresh was estimated to take, by the rates alone."""
LEARNED = "learned"
"""In a stamp: what was known when it was planned. Strategy → how many times its estimate it takes."""
FULL = "full"
"""In the place of the strategies that compute everything anew in a table that is there."""
CREATE = "create"
"""In the place of those that make the table. The first build is often the first that its process does."""
SINCE = "since_create"
"""How many refreshes there were since, as long as nothing else is known of recomputing."""

SLOWER = 0.3
"""How much of a slower refresh is believed: the first one of a process pays for warming up, a faster one is fast …"""
MOST = 1.5
"""… and by how much one refresh can raise a price: in a process that had only begun, one took 13 times as long."""
FORGIVEN = 0.9
"""What is left, after each refresh by another strategy, of how much slower than its estimate one was."""
DOUBTED, AT_MOST = 0.85, 8
"""What of a first build's time is believed of recomputing after each refresh, and how often it is doubted: recomputing
is tried once where it may be the faster one (0.85⁸ is a quarter), and not where it surely is not."""
NARROWEST, WIDEST = 0.02, 50.0
"""Beyond these a measurement says more about the clock than about the refresh."""


def learned(stamp: Stamp, seconds: float) -> dict[str, float]:
    """What is known after a refresh that took so long."""
    known = _known(stamp.extra.get(LEARNED))
    estimated = stamp.extra.get(ESTIMATED)
    if not isinstance(estimated, (int, float)) or estimated <= 0 or seconds <= 0:
        return known
    times = min(max(seconds / estimated, NARROWEST), WIDEST)
    if stamp.strategy == CREATE:
        return known if FULL in known else {**known, CREATE: round(times, 3), SINCE: 0.0}
    strategy = FULL if stamp.action == "FULL" else stamp.strategy
    before = known.get(strategy, times)
    slower = min(before + SLOWER * (times - before), before * MOST)
    now = round(times if times <= before else slower, 3)
    usual = now if strategy == FULL else times_its_estimate(FULL, known)
    others = {name: _forgiven(wrong, usual) for name, wrong in known.items() if name not in (CREATE, SINCE)}
    doubted = {CREATE: known[CREATE], SINCE: known.get(SINCE, 0.0) + 1} if CREATE in known and strategy != FULL else {}
    return {**doubted, **others, strategy: now}


def times_its_estimate(strategy: str, known: Mapping[str, float]) -> float:
    """What to multiply the estimate of a strategy by: of one that never ran here, what others were wrong by.

    By those that bring in the same change, else by recomputing: rows and machine are the same. Otherwise what is
    measured once would always win over what never ran, or lose.
    """
    doubted: float = DOUBTED ** min(known.get(SINCE, 0.0), AT_MOST)
    full = known.get(FULL, known.get(CREATE, 1.0) * doubted)
    if strategy == FULL or strategy in known:
        return known.get(strategy, full)
    return min((times for name, times in known.items() if name not in (FULL, CREATE, SINCE)), default=full)


def _forgiven(times: float, usual: float) -> float:
    """Of a strategy that did not run: one slow refresh must not rule it out for good.

    Until it is believed as much as recomputing is.
    """
    return round(max(usual, times * FORGIVEN), 3) if times > usual else times


def _known(stored: object) -> dict[str, float]:
    if not isinstance(stored, Mapping):
        return {}
    numbers = {str(name): float(times) for name, times in stored.items() if isinstance(times, (int, float))}
    return {name: times for name, times in numbers.items() if times > 0 or name == SINCE}
