from pathlib import Path
from collections.abc import Iterator
from trickle.cli.verify.scenario import Scenario
def read_cases(path: Path) -> Iterator[Scenario]:
    raise NotImplementedError
