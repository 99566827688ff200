"""Refuses the negation of a column computed by IN (SELECT …).

Spark's optimizer may push the NOT down to the IN and turn it into a NOT IN, for which UNKNOWN is FALSE again. Whether
it does depends on how often the column is used and on the operators between: the result is not determined.
"""

from __future__ import annotations

from sqlglot import exp

from trickle.errors import Unsupported
from trickle.lower.session import Session
from trickle.lower.subqueries.polarity import is_negated
from trickle.lower.subqueries.subqueries import Mark
from trickle.operators import Aggregate, Project
from trickle.plan.op import Op, walk
from trickle.reasons import reason


def refuse_negated(root: Op, session: Session) -> None:
    """Refuse a plan that negates a column computed from an IN further down."""
    marks = {
        name for name, pending in session.pending.items() if isinstance(pending, Mark) and pending.unknown is not None
    }
    computed: set[str] = set()
    for op in walk(root):
        for scalar in op.scalars():
            if any(node.name in computed and is_negated(node) for node in scalar.tree.find_all(exp.Column)):
                raise Unsupported([reason("in_as_value")])
        if isinstance(op, (Project, Aggregate)):
            items = op.items if isinstance(op, Project) else op.keys
            computed |= {
                item.name for item in items if item.value.columns & (marks | computed) and item.name not in marks
            }
