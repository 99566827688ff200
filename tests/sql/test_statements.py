"""Statements end at semicolons, except inside quotes and comments."""

from __future__ import annotations

import pytest

from trickle.sql.statements import statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" ;; \n;", []),
        ("select 1", ["select 1"]),
        ("select 1;", ["select 1"]),
        ("select 1; select 2\n;\n", ["select 1", "select 2"]),
        ("select ';' ; select \";\"", ["select ';'", 'select ";"']),
        (r"select 'it\'s; one'; select 2", [r"select 'it\'s; one'", "select 2"]),
        ("select 'it''s; one'; select 2", ["select 'it''s; one'", "select 2"]),
        (r"select r'\'; select 2", [r"select r'\'", "select 2"]),
        (r"select color'\'; select 2", [r"select color'\'; select 2"]),
        ("select `a;``b` from t; select 2", ["select `a;``b` from t", "select 2"]),
        ("select 1 -- one; still\n; select 2", ["select 1 -- one; still", "select 2"]),
        ("-- nothing;\n; /* nor ; here */", []),
        ("select /* a /* b; */ c; */ 1; select 2", ["select /* a /* b; */ c; */ 1", "select 2"]),
        ("select 1 /* never closed; select 2", ["select 1 /* never closed; select 2"]),
        ("select 'never closed; select 2", ["select 'never closed; select 2"]),
        ("'only a string'", ["'only a string'"]),
    ],
)  # fmt: skip
def test_statements(text: str, expected: list[str]) -> None:
    assert statements(text) == expected
