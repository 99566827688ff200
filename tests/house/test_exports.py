"""The facade is the whole public surface."""

from __future__ import annotations

import types

import trickle


def test_the_export_list_is_exact() -> None:
    """`__all__` names every public object of the facade once, and nothing else."""
    public = {
        name
        for name, value in vars(trickle).items()
        if not name.startswith("_") and name != "annotations" and not isinstance(value, types.ModuleType)
    }

    # A function named like its module hides it: `explain` is both, and the function is meant.
    assert set(trickle.__all__) == public
    assert len(set(trickle.__all__)) == len(trickle.__all__)
