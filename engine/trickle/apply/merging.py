"""What every MERGE into stored groups costs."""

from __future__ import annotations

from trickle.apply.price import MILLION
from trickle.apply.strategy import StrategyInput


def price_of_merging(given: StrategyInput, touched: float) -> float:
    """Seconds beside the query of the changes. MERGE reads its target twice, and writes the touched groups."""
    rates = given.rates
    read = given.stored * (2 * rates.scan + rates.join + rates.sort)
    return rates.merge + read + touched / MILLION * rates.write
