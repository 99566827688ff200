"""What Spark's own parser reads as a query, as far as syntax goes: for those who have no Spark at hand to ask."""

from __future__ import annotations

from trickle.sql.grammar.refusal import refuse_misread

__all__ = ["refuse_misread"]
