"""A method of connection is a package and a line: each that a profile may name opens a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from dbt.adapters.trickle.profile.keys import first_fault
from dbt.adapters.trickle.warehouses import methods
from dbt.adapters.trickle.warehouses.methods import METHODS, Method, method_named

UNFINISHED = {"connect"}
"""Packages that no profile can name yet; each says in its first lines what is missing."""


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_session_opens_without_connecting(method: Method, tmp_path: Path) -> None:
    """By its name and by its aliases; nothing is started before the first statement."""
    for name in (method.name, *method.aliases):
        credentials = TrickleCredentials(schema="s", database=None, method=name, warehouse=str(tmp_path))
        session = method.open(credentials, lambda sentence: None)

        assert credentials.method == method.name
        assert {"run", "rows", "columns", "settings", "with_settings", "compute", "forget"} <= set(dir(session))
        assert not list(tmp_path.iterdir())


def test_every_package_is_a_method() -> None:
    """A package that is in no list is reached by nobody."""
    packages = {file.parent.name for file in Path(methods.__file__).parent.glob("*/__init__.py")}

    assert packages - UNFINISHED == {method.name for method in METHODS}
    assert all(method_named(name) is None for name in UNFINISHED)


def test_another_method_is_refused() -> None:
    """In one sentence, when the profile is read."""
    fault = first_fault({"schema": "s", "method": "telnet"})

    assert fault is not None
    assert "`method: telnet`" in fault
