"""Spark's query syntax: decides without Spark whether Spark's parser accepts a text."""

from __future__ import annotations

from trickle.sql.grammar.refusal import refuse_misread

__all__ = ["refuse_misread"]
