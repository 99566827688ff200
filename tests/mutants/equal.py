"""Mutants that are no mistakes: the rules mean the same with them. Few, each with its reason."""

from __future__ import annotations

from tests.mutants.mutate import Mutant

EQUAL: dict[tuple[str, str, str], str] = {}
"""File, function and change → why nothing can tell the difference."""


def is_equal(file: str, mutant: Mutant) -> bool:
    return (file, ".".join(mutant.path), mutant.what) in EQUAL
