"""Inlines views: the definition replaces the name, nested views included."""

from __future__ import annotations

from dataclasses import replace

from trickle.catalog.frontier import dotted
from trickle.catalog.tables import View
from trickle.errors import InvalidView, Unsupported
from trickle.lower.refusals.refuse import refusals
from trickle.lower.select.clock import with_clock_calls
from trickle.lower.session import Lowered, Session
from trickle.lower.windows.named_windows import with_named_windows
from trickle.sql.parse import parse_select


def inline_view(view: View, session: Session) -> Lowered:
    """The view's query under the view's column names. Reasons found inside are told from outside of it."""
    if view.name in session.inside:
        path = " → ".join(dotted(name) for name in (*session.inside, view.name))
        raise InvalidView(f"the view {dotted(view.name)} reads itself: {path}")
    inner = replace(session, text=view.definition, inside=(*session.inside, view.name), outer=None)
    tree = with_named_windows(parse_select(view.definition), view.definition)
    try:
        reasons = refusals(tree, view.definition, session.routines)
        if reasons:
            raise Unsupported(reasons)
        lowered = session.lower_query(with_clock_calls(tree, freezes=False), inner, {})
    except Unsupported as found:
        raise Unsupported(
            [
                replace(reason, position=None, message=f"In view {dotted(view.name)}: {reason.message}")
                for reason in found.reasons
            ]
        ) from found
    except InvalidView as wrong:
        raise type(wrong)(f"in the view {dotted(view.name)}: {wrong.message}", remedy=wrong.remedy) from wrong
    names = [column.name for column in view.columns]
    if len(names) != len(lowered.columns):
        return lowered
    return replace(lowered, columns=tuple((name, internal) for name, (_, internal) in zip(names, lowered.columns)))
