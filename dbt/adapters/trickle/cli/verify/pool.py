"""Running scenarios in this process, or in worker processes with a memory limit."""

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
from dbt.adapters.trickle.cli.verify.ring_names import CONNECT
from dbt.adapters.trickle.cli.verify.run import Outcome, Verdict, run_scenario
from dbt.adapters.trickle.cli.verify.scenario import Scenario
from trickle.sql.stack_size import raise_recursion_limit

SPAWN = get_context("spawn")
"""Starts new processes: a forked process has locks of threads that do not exist in it."""
GIBIBYTE = 1024**3


def outcomes(scenarios: Sequence[Scenario], ring: str, jobs: int, all_ways: bool, memory: int) -> Iterator[Outcome]:
    """The outcome of every scenario, in order. `memory`: the limit of a worker in bytes; 0: all run in this process."""
    if not memory:
        for scenario in scenarios:
            yield run_scenario(scenario, opened(ring), all_ways)
        return
    _require_duckdb(ring)
    idle: SimpleQueue[Worker] = SimpleQueue()
    workers = [Worker(ring, all_ways, memory) for _ in range(min(jobs, len(scenarios)))]
    for worker in workers:
        idle.put(worker)

    def run_in_worker(scenario: Scenario) -> Outcome:
        worker = idle.get()
        try:
            return worker.run(scenario)
        finally:
            idle.put(worker)

    try:
        with ThreadPoolExecutor(len(workers)) as threads:
            yield from threads.map(run_in_worker, scenarios)
    finally:
        for worker in workers:
            worker.end()


class Worker:
    """A process that runs one scenario after the other, and is replaced when one of them ends it."""

    def __init__(self, ring: str, all_ways: bool, memory: int) -> None:
        self._arguments = ring, all_ways, memory
        self._pipe: Optional[Connection] = None

    def run(self, scenario: Scenario) -> Outcome:
        if self._pipe is None:
            self._begin()
        assert self._pipe is not None
        try:
            self._pipe.send(scenario)
            outcome: Outcome = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            outcome = Outcome(scenario.id, Verdict.EXHAUSTED, detail=self._exit_message())
        if outcome.verdict is Verdict.EXHAUSTED:
            # Its memory is fragmented: the next scenario gets a new process.
            self.end()
        return outcome

    def end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
            self._process.join(5)
            self._process.kill()

    def kill(self) -> None:
        """End the process as the operating system does when memory runs out."""
        self._process.kill()
        self._process.join()

    def _begin(self) -> None:
        self._pipe, worker_end = SPAWN.Pipe()
        self._process = SPAWN.Process(target=_work, args=(worker_end, *self._arguments), daemon=True)
        self._process.start()
        worker_end.close()

    def _exit_message(self) -> str:
        code = self._process.exitcode or 0
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        return f"its process {how}; {remedy(self._arguments[2])}"


def remedy(memory: int) -> str:
    """The advice for a query that exceeded its memory."""
    return f"its limit is {memory / GIBIBYTE:g} GB: raise it with --memory, or use fewer --rows"


def _work(pipe: Connection, ring: str, all_ways: bool, memory: int) -> None:
    """The loop of a worker process: scenarios in, outcomes out, until the pipe closes."""
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
    """Limit the memory of this process, so that DuckDB or Python fails and not the whole machine."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


@lru_cache(maxsize=1)
def opened(ring: str) -> Ring:
    """The process's ring of this name, created once; its database is imported only then."""
    if ring == "spark":
        from dbt.adapters.trickle.cli.verify.spark import SparkRing

        return SparkRing()
    if ring.startswith(CONNECT):
        if find_spec("grpc") is None:
            raise Refusal("The Spark Connect client is not installed: pip install 'dbt-trickle[connect]'")
        from dbt.adapters.trickle.cli.verify.connect import ConnectRing

        return ConnectRing(ring)
    _require_duckdb(ring)
    from dbt.adapters.trickle.cli.verify.duck import DuckRing

    return DuckRing()


def _require_duckdb(ring: str) -> None:
    if ring != "spark" and find_spec("duckdb") is None:
        raise Refusal("DuckDB is not installed: pip install 'dbt-trickle[verify]', or verify on --ring spark")
