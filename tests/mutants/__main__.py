"""Plants every mutant in turn, in this process, and counts those that the laws and snapshots find.

python -m tests.mutants [--examples 60] [--seconds 3600] [FILE[:LINE] …]
"""

from __future__ import annotations

import argparse
import importlib
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from tests.mutants.equal import is_equal
from tests.mutants.judge import Judge, judge
from tests.mutants.mutate import Mutant, mutants_of

ENGINE = Path(__file__).parents[2] / "engine"
PACKAGE = ENGINE / "trickle"
SECONDS = 60
"""Of processor time: a mutant that is not judged by then runs in circles, and is found."""

WHOLE = ("delta/*.py", "layouts/*.py", "rewrite/*.py", "operators/affected.py", "plan/equalities.py", "plan/ranges.py")
RULES = "operators/*.py"
"""Of operators, their delta rules and what several rules share: the SQL they print has snapshots of its own."""
SHARED = ("rematch_delta", "matched_by_change", "padded")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=3600.0, help="start no other mutant after this")
    parser.add_argument("--seed", type=int, default=1, help="another order, so another sample where time is short")
    parser.add_argument("places", nargs="*", help="paths below engine/trickle, or PATH:LINE; all rules if left out")
    asked = parser.parse_args()
    every = _mutants_at(asked.places)
    random.Random(asked.seed).shuffle(every)
    started = time.monotonic()
    court = judge(asked.examples)
    already = court.kills("")
    if already is not None:
        print(f"without any mutant, {already} fails")
        return 1
    print(
        f"{len(every)} mutants, {len(court.drawn)} examples on the interpreter, {len(court.stored)} on DuckDB",
        flush=True,
    )
    survivors = tried = equal = 0
    for file, mutant in every:
        if time.monotonic() - started > asked.seconds:
            break
        if is_equal(str(file.relative_to(PACKAGE)), mutant):
            equal += 1
            continue
        tried += 1
        killer = _tried(file, mutant, court)
        if killer is None:
            survivors += 1
            where = f"{file.relative_to(PACKAGE)}:{mutant.line}"
            print(f"survives  {where}  {'.'.join(mutant.path)}  {mutant.what}", flush=True)
    found = tried - survivors
    print(f"{found} of {tried} found: {100 * found / max(1, tried):.1f} %", end=" ")
    print(f"({equal} are no mistakes, {len(every) - tried - equal} left out for time)")
    return 0


def _mutants_at(places: list[str]) -> list[tuple[Path, Mutant]]:
    patterns = [place.partition(":")[0] for place in places] or [*WHOLE, RULES]
    found = [file for pattern in patterns for file in sorted(PACKAGE.glob(pattern))]
    files = [file for file in dict.fromkeys(found) if file.name != "__init__.py"]
    lines = {tuple(place.split(":")) for place in places if ":" in place}
    every = [(file, mutant) for file in files for mutant in _mutants(file)]
    return [(file, one) for file, one in every if not lines or (str(file.relative_to(PACKAGE)), str(one.line)) in lines]


def _mutants(file: Path) -> Iterator[Mutant]:
    whole = any(file.match(pattern) for pattern in WHOLE)

    def wanted(path: tuple[str, ...]) -> bool:
        return whole or path[-1] == "delta" or path[-1] in SHARED

    return mutants_of(file.read_text("utf-8"), str(file), wanted)


def _tried(file: Path, mutant: Mutant, court: Judge) -> str | None:
    function = _function(file, mutant.path)
    kept = function.__code__
    function.__code__ = mutant.code
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return court.kills(file.stem)
    except TimeoutError:
        return f"no end after {SECONDS} s"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        function.__code__ = kept


def _give_up(*_: Any) -> None:
    raise TimeoutError


def _function(file: Path, path: tuple[str, ...]) -> FunctionType:
    """The function object behind whatever decorates it."""
    module = importlib.import_module(".".join(file.relative_to(ENGINE).with_suffix("").parts))
    found: Any = module
    for name in path:
        found = vars(found)[name]
    for inner in ("fget", "func", "__func__", "__wrapped__"):
        found = getattr(found, inner, found)
    assert isinstance(found, FunctionType), path
    return found


if __name__ == "__main__":
    sys.exit(main())
