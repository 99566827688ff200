"""Generated blocks inside a page: between `<!-- snapshot: NAME -->` or `<!-- operators -->` and `<!-- end -->`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tests.snapshots.catalogue import SNAPSHOTS

BLOCK = re.compile(r"(<!-- ([a-z-]+)(?:: ([a-z_/]+))? -->\n).*?(<!-- end -->)", re.DOTALL)
Writer = Callable[[str], str]


def fill(page: str, writers: Mapping[str, Writer]) -> str:
    """The page with every block written anew."""
    return BLOCK.sub(lambda found: f"{found[1]}{writers[found[2]](found[3] or '')}{found[4]}", page)


def included(page: str) -> set[str]:
    """The snapshots a page shows."""
    return {found[2] for found in BLOCK.findall(page) if found[1] == "snapshot"}


def snapshot(name: str) -> str:
    return f"```sql\n{SNAPSHOTS[name].file.read_text('utf-8')}```\n"
