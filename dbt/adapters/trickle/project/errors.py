"""Errors in a project, each as one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ProjectError(Exception):
    """The project, its profile or its manifest cannot be read, or does not have the requested node."""


def nearest(name: str, known: Iterable[str]) -> str:
    """`; did you mean x?`, or the known names if none is similar."""
    names = sorted(set(known))
    near = get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f"; did you mean {near[0]}?"
    if not names:
        return "; there are none."
    shown = ", ".join(names[:10])
    return f"; there are: {shown}{', …' if len(names) > 10 else '.'}"
