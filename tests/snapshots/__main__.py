"""`python -m tests.snapshots` lists the files that differ from what the engine writes now.

`python -m tests.snapshots join/left_changed …` writes the named ones. There is no way to write all of them: each is
to be looked at.
"""

from __future__ import annotations

import sys

from tests.snapshots.catalogue import SNAPSHOTS
from tests.snapshots.snapshot import Snapshot


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in SNAPSHOTS]
    if unknown:
        print(f"there is no snapshot called {', '.join(unknown)}; there are: {', '.join(SNAPSHOTS)}")
        return 2
    for name in names:
        write(SNAPSHOTS[name])
    differing = [one.name for one in SNAPSHOTS.values() if not is_fresh(one)]
    print("\n".join(differing) or "every snapshot is what the engine writes")
    return 1 if differing else 0


def write(snapshot: Snapshot) -> None:
    snapshot.file.parent.mkdir(exist_ok=True)
    snapshot.file.write_text(snapshot.text(), "utf-8")


def is_fresh(snapshot: Snapshot) -> bool:
    return snapshot.file.is_file() and snapshot.file.read_text("utf-8") == snapshot.text()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
