"""An error lists the macros that the user wrote, and none of ours, dbt-spark's or dbt's."""

from __future__ import annotations

from types import SimpleNamespace

from dbt_common.exceptions import CompilationError

from dbt.adapters.trickle.dbt_macro_stack import without_our_macros


def macro(package: str, name: str) -> SimpleNamespace:
    return SimpleNamespace(
        package_name=package, resource_type="macro", name=name, original_file_path=f"macros/{name}.sql"
    )


def test_macros_of_packages_are_left_out() -> None:
    """The one the user can look into stays."""
    failure = CompilationError("no", node=SimpleNamespace(resource_type="model", name="m", original_file_path="m.sql"))
    failure.stack += [
        macro("dbt_trickle", "storage"),
        macro("shop", "mine"),
        macro("dbt_spark", "x"),
        macro("dbt", "y"),
    ]

    without_our_macros(failure)

    assert "> in macro mine (macros/mine.sql)" in str(failure)
    assert not [line for line in str(failure).splitlines() if "macro" in line and "mine" not in line]


def test_what_is_no_error_of_dbts_is_left_as_it_is() -> None:
    """And so is the case in which nothing went wrong."""
    without_our_macros(None)
    without_our_macros(KeyError("x"))
