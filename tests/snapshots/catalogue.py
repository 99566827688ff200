"""Every snapshot there is, by name."""

from __future__ import annotations

from collections.abc import Mapping

from tests.snapshots.of_applying import APPLYING
from tests.snapshots.of_internals import INTERNALS
from tests.snapshots.of_matching_joins import MATCHING_JOINS
from tests.snapshots.of_operators import OPERATORS
from tests.snapshots.snapshot import Snapshot

SNAPSHOTS: Mapping[str, Snapshot] = {one.name: one for one in (*OPERATORS, *MATCHING_JOINS, *INTERNALS, *APPLYING)}
