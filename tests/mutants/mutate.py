"""The changes a mutant is made by: one small and plausible mistake each, on the syntax tree of a function."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType

Function = ast.FunctionDef
Change = Callable[[ast.AST], None]

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NAMES = {"all": "any", "any": "all", "min": "max", "max": "min"}
ATTRIBUTES = {"before": "after", "after": "before", "left": "right", "right": "left"}


@dataclass(frozen=True)
class Mutant:
    """A function of a module with one thing wrong."""

    path: tuple[str, ...]
    """Class and function, or function."""
    line: int
    said: str
    """The line as it is without the mistake."""
    what: str
    code: CodeType


def mutants_of(source: str, file: str, wanted: Callable[[tuple[str, ...]], bool]) -> Iterator[Mutant]:
    """Every mutant of the functions and methods asked for, in the order of the file."""
    tree, lines = ast.parse(source), source.splitlines()
    for path, function in _functions(tree):
        if not wanted(path):
            continue
        for place, node in enumerate(_said(function)):
            for what, change in _changes(node):
                mutated = copy.deepcopy(tree)
                target = dict(_functions(mutated))[path]
                change(next(one for at, one in enumerate(_said(target)) if at == place))
                ast.fix_missing_locations(mutated)
                code = _find(compile(mutated, file, "exec", dont_inherit=True), path)
                line = getattr(node, "lineno", function.lineno)
                yield Mutant(path, line, lines[line - 1].strip(), what, code)


def _functions(tree: ast.Module) -> list[tuple[tuple[str, ...], Function]]:
    found: list[tuple[tuple[str, ...], Function]] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.append(((node.name,), node))
        elif isinstance(node, ast.ClassDef):
            found += [((node.name, one.name), one) for one in node.body if isinstance(one, ast.FunctionDef)]
    return found


def _said(function: Function) -> list[ast.AST]:
    """The nodes of a function that are carried out: types are not."""
    found: list[ast.AST] = []
    queue: list[ast.AST] = list(function.body)
    for node in queue:
        found.append(node)
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns"):
                queue += [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST)]
    return found


def _find(code: CodeType, path: tuple[str, ...]) -> CodeType:
    for name in path:
        code = next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name)
    return code


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.Compare(ops=[one]) if type(one) in COMPARISONS:
            yield f"{_shown(node)}: {COMPARISONS[type(one)].__name__}", _other_comparison
        case ast.BoolOp():
            yield f"{_shown(node)}: the other of and, or", _other_connective
        case ast.UnaryOp(op=ast.Not()):
            yield f"{_shown(node)}: without not", _without_not
        case ast.BinOp(op=one) if type(one) in OPERATIONS:
            yield f"{_shown(node)}: {OPERATIONS[type(one)].__name__}", _other_operation
        case ast.Constant(value=bool()):
            yield f"{node.value} turned round", _turned_round
        case ast.IfExp():
            yield f"{_shown(node)}: branches exchanged", _exchanged
        case ast.If():
            yield f"if {_shown(node.test)}: negated", _negated
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield f"{name}: {NAMES[name]}", _other_name
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in ATTRIBUTES:
            yield f"{_shown(node)}: {ATTRIBUTES[name]}", _other_attribute
        case ast.Match():
            yield from _changes_of_match(node)
        case ast.Tuple(ctx=ast.Load()) if len(node.elts) > 1:
            for place, element in enumerate(node.elts):
                yield f"without {_shown(element)} in {_shown(node)}", _without(place)
        case _:
            return


def _changes_of_match(node: ast.Match) -> Iterator[tuple[str, Change]]:
    for place, case in enumerate(node.cases):
        if not isinstance(case.pattern, ast.MatchAs):
            yield f"without case {_shown(case.pattern)}", _without_case(place)
        if case.guard is not None:
            yield f"case {_shown(case.pattern)} without {_shown(case.guard)}", _without_guard(place)
        if isinstance(case.pattern, ast.MatchOr):
            for at, one in enumerate(case.pattern.patterns):
                yield f"case without {_shown(one)}", _without_alternative(place, at)


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) < 70 else text[:67] + "…"


def _other_comparison(node: ast.AST) -> None:
    assert isinstance(node, ast.Compare)
    node.ops = [COMPARISONS[type(node.ops[0])]()]


def _other_connective(node: ast.AST) -> None:
    assert isinstance(node, ast.BoolOp)
    node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()


def _without_not(node: ast.AST) -> None:
    assert isinstance(node, ast.UnaryOp)
    # Twice negated: the node itself must stay what it is.
    node.operand = ast.UnaryOp(op=ast.Not(), operand=node.operand)


def _other_operation(node: ast.AST) -> None:
    assert isinstance(node, ast.BinOp)
    node.op = OPERATIONS[type(node.op)]()


def _turned_round(node: ast.AST) -> None:
    assert isinstance(node, ast.Constant)
    node.value = not node.value


def _exchanged(node: ast.AST) -> None:
    assert isinstance(node, ast.IfExp)
    node.body, node.orelse = node.orelse, node.body


def _negated(node: ast.AST) -> None:
    assert isinstance(node, ast.If)
    node.test = ast.UnaryOp(op=ast.Not(), operand=node.test)


def _other_name(node: ast.AST) -> None:
    assert isinstance(node, ast.Name)
    node.id = NAMES[node.id]


def _other_attribute(node: ast.AST) -> None:
    assert isinstance(node, ast.Attribute)
    node.attr = ATTRIBUTES[node.attr]


def _without(place: int) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Tuple)
        del node.elts[place]

    return change


def _without_case(place: int) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Match)
        node.cases[place].guard = ast.Constant(value=False)

    return change


def _without_guard(place: int) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Match)
        node.cases[place].guard = None

    return change


def _without_alternative(place: int, at: int) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Match)
        pattern = node.cases[place].pattern
        assert isinstance(pattern, ast.MatchOr)
        del pattern.patterns[at]
        if len(pattern.patterns) == 1:
            node.cases[place].pattern = pattern.patterns[0]

    return change
