"""Creates the class-data archive: `python -m dbt.adapters.trickle.warehouses.embedded.archive_training`.

Started automatically after a first dbt run, or as a step of building a container image. It works in a temporary
warehouse of its own and never touches a user's.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from dbt.adapters.trickle.warehouses.embedded import archive
from dbt.adapters.trickle.warehouses.embedded import spark as warehouse
from dbt.adapters.trickle.warehouses.embedded.cache import cache_folder
from dbt.adapters.trickle.warehouses.embedded.delta_jars import present
from dbt.adapters.trickle.warehouses.embedded.java import find_java
from dbt.adapters.trickle.warehouses.embedded.lock import try_lock
from dbt.adapters.trickle.warehouses.embedded.session import EmbeddedSession

MOST_ARCHIVES = 3
LESSONS = Path(__file__).with_name("archive_lessons.sql")


@dataclass
class TrainingProfile:
    """The defaults of a user's profile: with other settings, other classes would be loaded."""

    warehouse: str
    time_zone: str = "UTC"
    lock_timeout: float = 0
    driver_memory: str | None = "1g"
    cores: int | None = None
    server_side_parameters: dict[str, str] = field(default_factory=dict)


def main() -> None:
    os.nice(19)
    cache = cache_folder(os.environ)
    jars = present(cache)
    if not jars:
        return
    target = archive.archive_path(cache, find_java(os.environ), jars)
    target.parent.mkdir(parents=True, exist_ok=True)
    lock = try_lock(target.parent / "lock")
    if lock is None or target.is_file():
        return
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="training-") as folder:
        created = Path(folder, target.name)
        _run_lessons(Path(folder), created)
        _delete_old(target.parent)
        created.replace(target)
    lock.release()


def _run_lessons(folder: Path, target: Path) -> None:
    """Run every lesson, then let Java end by itself: it writes the archive at exit."""
    profile = TrainingProfile(str(folder / "warehouse"))
    warehouse.start_with(profile, archive.make_options(target), print)
    session = EmbeddedSession(profile, print)
    for lesson in LESSONS.read_text("utf-8").split(";")[:-1]:
        session.rows(lesson)
    session.close()
    warehouse.close(seconds=180)


def _delete_old(folder: Path) -> None:
    """Delete old archives of some 240 MB each, except a few: each Python environment may need its own."""
    by_last_use = sorted(folder.glob(f"*{archive.SUFFIX}"), key=lambda file: file.stat().st_mtime)
    for file in by_last_use[: -MOST_ARCHIVES + 1]:
        file.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
