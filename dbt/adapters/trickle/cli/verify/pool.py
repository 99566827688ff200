"""Running many scenarios: in this process, or in processes of their own that may run out of memory and die alone."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Optional

from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.cli.verify.ring import Ring
from dbt.adapters.trickle.cli.verify.run import Outcome, Verdict, run_scenario
from dbt.adapters.trickle.cli.verify.scenario import Scenario
from trickle.sql.stack_size import raise_recursion_limit

SPAWN = get_context("spawn")
"""A process that begins anew: one that is forked has the locks of threads that it has not."""
GIBIBYTE = 1024**3


def outcomes(scenarios: Sequence[Scenario], ring: str, jobs: int, all_ways: bool, memory: int) -> Iterator[Outcome]:
    """The outcome of every scenario, in the order given. `memory`: bytes of a process; 0: all run in this one."""
    if not memory:
        for scenario in scenarios:
            yield run_scenario(scenario, opened(ring), all_ways)
        return
    _insist_on_ring(ring)
    idle: SimpleQueue[Worker] = SimpleQueue()
    workers = [Worker(ring, all_ways, memory) for _ in range(min(jobs, len(scenarios)))]
    for worker in workers:
        idle.put(worker)

    def judged(scenario: Scenario) -> Outcome:
        worker = idle.get()
        try:
            return worker.judge(scenario)
        finally:
            idle.put(worker)

    try:
        with ThreadPoolExecutor(len(workers)) as threads:
            yield from threads.map(judged, scenarios)
    finally:
        for worker in workers:
            worker.end()


class Worker:
    """A process that judges one scenario after the other, and is replaced when it dies of one."""

    def __init__(self, ring: str, all_ways: bool, memory: int) -> None:
        self._given = ring, all_ways, memory
        self._pipe: Optional[Connection] = None

    def judge(self, scenario: Scenario) -> Outcome:
        if self._pipe is None:
            self._begin()
        assert self._pipe is not None
        try:
            self._pipe.send(scenario)
            outcome: Outcome = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            outcome = Outcome(scenario.id, Verdict.EXHAUSTED, detail=self._last_words())
        if outcome.verdict is Verdict.EXHAUSTED:
            # What is left of its memory is in pieces.
            self.end()
        return outcome

    def end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
            self._process.join(5)
            self._process.kill()

    def kill(self) -> None:
        """End the process as the system does when it has no memory left."""
        self._process.kill()
        self._process.join()

    def _begin(self) -> None:
        self._pipe, theirs = SPAWN.Pipe()
        self._process = SPAWN.Process(target=_work, args=(theirs, *self._given), daemon=True)
        self._process.start()
        theirs.close()

    def _last_words(self) -> str:
        code = self._process.exitcode or 0
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return f"its process {how}; {remedy(self._given[2])}"


def remedy(memory: int) -> str:
    """What to do about a query that takes more than it may."""
    return f"it may take {memory / GIBIBYTE:g} GB: give it more with --memory, or fewer --rows"


def _work(pipe: Connection, ring: str, all_ways: bool, memory: int) -> None:
    """The process: scenarios in, outcomes out, until nobody is at the other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise_recursion_limit()
    _limit(memory)
    while True:
        try:
            scenario = pipe.recv()
        except EOFError:
            return
        try:
            outcome = run_scenario(scenario, opened(ring), all_ways)
        except MemoryError:
            outcome = Outcome(scenario.id, Verdict.EXHAUSTED, detail="out of memory")
        if outcome.verdict is Verdict.EXHAUSTED:
            outcome = replace(outcome, detail=f"{outcome.detail}; {remedy(memory)}")
        pipe.send(outcome)


def _limit(memory: int) -> None:
    """The system refuses what is beyond; DuckDB, and Python, then fail by themselves and not the whole machine."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


@lru_cache(maxsize=1)
def opened(ring: str) -> Ring:
    """The process's one database of a kind. Neither is imported before it is asked for."""
    if ring == "spark":
        from dbt.adapters.trickle.cli.verify.spark import SparkRing

        return SparkRing()
    _insist_on_ring(ring)
    from dbt.adapters.trickle.cli.verify.duck import DuckRing

    return DuckRing()


def _insist_on_ring(ring: str) -> None:
    if ring != "spark" and find_spec("duckdb") is None:
        raise Refusal("DuckDB is not installed: pip install 'dbt-trickle[verify]', or verify on --ring spark")
