"""The command line itself: its version, and suggestions for misspelt commands."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from dbt.adapters.trickle.cli import main


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, as other programs print it."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert ended.value.code == 0
    assert capsys.readouterr().out == f"dbt-trickle {version('dbt-trickle')}\n"


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        ("exlain", "did you mean explain?"),
        ("resum", "did you mean resume?"),
        ("verfy", "did you mean verify?"),
        ("zzz", "there are: cron, "),
    ],
)
def test_a_misspelt_command_gets_a_suggestion(command: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, and exit code 2."""
    assert main([command, "--format", "json"]) == 2

    said = capsys.readouterr().err
    assert said.startswith(f"dbt-trickle: there is no command {command}; {meant}")
    assert said.count("\n") == 1
