"""staged: parts of a statement that are read several times are computed first, and read from memory.

Spark plans a CTE anew for each of its readers. A change that passes through several groupings and joins reads the
change below it more than once at each, so what Spark plans doubles and doubles again, until planning takes minutes:

WITH a AS (…), b AS (… a … a …), c AS (… b … b …) SELECT … c … c …
→ b first, then c, then SELECT … c … c …
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from sqlglot import exp

from trickle.apply.price import MANY, WORTH
from trickle.apply.printed import printed
from trickle.apply.steps import Kind, Stage, Write
from trickle.sql.build import identifier, with_ctes

NAME = "__trickle_part_"


def staged(form: Kind, tree: exp.Expr, why: str, planned_once: bool = False) -> tuple[Stage | Write, ...]:
    """The statement after the stages it reads. The tree is taken over and changed."""
    stages = take_stages(tree)
    return (*stages, Write(form, printed(tree), why, planned_once))


def take_stages(tree: exp.Expr) -> tuple[Stage, ...]:
    """The queries to compute first, in order; in the tree their names take the place of the CTEs they were."""
    clauses = list(tree.find_all(exp.With))
    names = [cte.alias for clause in clauses for cte in clause.expressions]
    if len(names) > len(set(names)) or any(clause.args.get("recursive") for clause in clauses):
        return ()
    stages: list[Stage] = []
    outermost = [clause for clause in clauses if clause.find_ancestor(exp.With) is None]
    for clause in outermost:
        stages += _stages_of(clause, len(stages))
    return tuple(stages)


def _stages_of(clause: exp.With, before: int) -> list[Stage]:
    """The stages of one WITH, `before` others having been found already."""
    ctes: dict[str, exp.CTE] = {cte.alias: cte for cte in clause.expressions}
    owner = clause.parent
    assert owner is not None
    inside = _tables(clause)
    seen = {id(table) for table in inside}
    outside = [table for table in _tables(owner) if id(table) not in seen]
    planned: dict[str, int] = {}
    for name, cte in ctes.items():
        planned[name] = _planned(_tables(cte.this), planned)
    if _planned(outside, planned) < MANY:
        return []
    reads = [table for table in (*outside, *inside) if _is_read(table, ctes)]
    readers = Counter(table.name for table in reads)
    names: dict[str, str] = {}
    for name, cte in ctes.items():
        planned[name] = _planned(_tables(cte.this), planned)
        if readers[name] > 1 and planned[name] >= WORTH:
            names[name] = f"{NAME}{before + len(names) + 1}"
            planned[name] = 1
    for table in [table for table in reads if table.name in names]:
        if not table.alias:
            table.set("alias", exp.TableAlias(this=identifier(table.name)))
        table.set("this", identifier(names[table.name]))
    stages = [Stage(part, printed(_alone(ctes[name].this, ctes))) for name, part in names.items()]
    needed = _needed(outside, ctes)
    if needed:
        clause.set("expressions", [cte for name, cte in ctes.items() if name in needed])
    else:
        clause.pop()
    return stages


def _alone(query: exp.Query, ctes: dict[str, exp.CTE]) -> exp.Query:
    """A CTE's query with the CTEs it reads."""
    needed = _needed(_tables(query), ctes)
    return with_ctes(query.copy(), [cte.copy() for name, cte in ctes.items() if name in needed])


def _needed(tables: Iterable[exp.Table], ctes: dict[str, exp.CTE]) -> set[str]:
    needed: set[str] = set()
    rest = [table.name for table in tables if _is_read(table, ctes)]
    while rest:
        name = rest.pop()
        if name not in needed:
            needed.add(name)
            rest += [table.name for table in _tables(ctes[name].this) if _is_read(table, ctes)]
    return needed


def _planned(tables: Iterable[exp.Table], ctes: Mapping[str, int]) -> int:
    """How many relations Spark plans for these: a CTE is planned anew for each of its readers."""
    return sum(1 if table.db else ctes.get(table.name, 1) for table in tables)


def _tables(tree: exp.Expr) -> list[exp.Table]:
    return list(tree.find_all(exp.Table))


def _is_read(table: exp.Table, ctes: dict[str, exp.CTE]) -> bool:
    return not table.db and table.name in ctes
