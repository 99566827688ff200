"""Running many scenarios: one after the other, or in processes that each keep a database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from importlib.util import find_spec
from multiprocessing import get_context

from trickle.cli.refusal import Refusal
from trickle.cli.verify.ring import Ring
from trickle.cli.verify.run import Outcome, run_scenario
from trickle.cli.verify.scenario import Scenario


def outcomes(scenarios: Sequence[Scenario], ring: str, jobs: int, all_ways: bool) -> Iterator[Outcome]:
    """The outcome of every scenario, in the order given."""
    if jobs == 1:
        for scenario in scenarios:
            yield run_scenario(scenario, opened(ring), all_ways)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(partial(_in_a_process, ring, all_ways), scenarios, chunksize=4)


@lru_cache(maxsize=1)
def opened(ring: str) -> Ring:
    """The process's one database of a kind. Neither is imported before it is asked for."""
    if ring == "spark":
        from trickle.cli.verify.spark import SparkRing

        return SparkRing()
    if find_spec("duckdb") is None:
        raise Refusal("DuckDB is not installed: pip install 'dbt-trickle[verify]', or verify on --ring spark")
    from trickle.cli.verify.duck import DuckRing

    return DuckRing()


def _in_a_process(ring: str, all_ways: bool, scenario: Scenario) -> Outcome:
    return run_scenario(scenario, opened(ring), all_ways)
