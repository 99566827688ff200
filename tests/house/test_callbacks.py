"""The engine calls nobody back: what it needs to know comes as values, and what it lacks it says as values."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Iterator

import pytest

import trickle


def is_public_code(name: str) -> bool:
    """A class or a function, and no alias of a type."""
    thing = getattr(trickle, name)
    return inspect.isclass(thing) or inspect.isfunction(thing)


PUBLIC = [name for name in trickle.__all__ if is_public_code(name)]


def parameters(name: str) -> Iterator[str]:
    """The annotations of everything that can be given to a public function or class, and to its methods."""
    thing = getattr(trickle, name)
    if not inspect.isclass(thing):
        yield from map(str, _annotations(thing))
        return
    if dataclasses.is_dataclass(thing):
        yield from (str(field.type) for field in dataclasses.fields(thing))
    for member, method in vars(thing).items():
        if inspect.isfunction(method) and not member.startswith("__"):
            yield from map(str, _annotations(method))


def _annotations(function: Callable[..., object]) -> Iterator[object]:
    return (one.annotation for one in inspect.signature(function).parameters.values())


def is_function(annotation: str) -> bool:
    """By its name, or by that of a type of functions."""
    return "Callable" in annotation or annotation in {"Answer", "ReadSource", "AskTypes", "Resolve"}


@pytest.mark.parametrize("name", PUBLIC)
def test_nothing_public_takes_a_function(name: str) -> None:
    """A function given to the engine could ask a catalog, a clock or Spark."""
    assert not [one for one in parameters(name) if is_function(one)]


def test_no_module_of_the_engine_names_a_port() -> None:
    """Protocols are for functions of the engine that call each other, never for the outside world."""
    protocols = {
        f"{module.__name__}.{name}"
        for module in _modules()
        for name, value in vars(module).items()
        if inspect.isclass(value) and typing.Protocol in value.__mro__ and value.__module__ == module.__name__
    }

    assert protocols == {"trickle.lower.session.LowerQuery"}


def _modules() -> Iterator[typing.Any]:
    import importlib
    import pkgutil

    for found in pkgutil.walk_packages(trickle.__path__, "trickle."):
        yield importlib.import_module(found.name)
