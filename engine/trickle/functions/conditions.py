"""Conditions, casts, and choices among values."""

from __future__ import annotations

from trickle.functions.record import Function, Rule, each
from trickle.types import Simple

CONDITIONS = (
    *each("and between cast ilike in not or regexp when", Function()),
    *each("assert_true", Function("1-2", "ibdfsDTNamtxv amt")),
    *each("bigint decimal double float int smallint tinyint", Function("1", "DNamtx")),
    *each("binary", Function("1", "ibdfDTNzamt")),
    *each("boolean", Function("1", "DTNamtx")),
    *each("coalesce", Function("1+", result=Rule.WIDEST, unites_types=True)),
    *each("date", Function("1", "ibdfzamtx", reads_instants=True)),
    *each("decode", Function("2+", "mv m")),
    *each("equal_null", Function("2", "mv mv")),
    *each("greatest least", Function("2+", "mv mv mv mv", Rule.WIDEST, unites_types=True)),
    *each("if", Function("3", "ibdfsDTNamtxv")),
    *each("ifnull nvl", Function("2", result=Rule.WIDEST, unites_types=True)),
    *each("isnan", Function("1", "DTNzamtxv", Simple.BOOLEAN)),
    *each("isnotnull isnull", Function("1", result=Simple.BOOLEAN)),
    *each("like rlike", Function(result=Simple.BOOLEAN)),
    *each("nanvl", Function("2", "DTNzamtxv DTNzamtxv")),
    *each("nullif", Function("2", "mv mv", Rule.FIRST)),
    *each("nullifzero", Function("1", "DTNzamtxv")),
    *each("nvl2", Function("3")),
    *each("raise_error", Function("1", "amt", Simple.VOID)),
    *each("string time typeof zeroifnull", Function("1")),
    *each("timestamp", Function("1", "zamtx", reads_instants=True)),
)
