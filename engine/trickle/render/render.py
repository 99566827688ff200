"""render: a plan as one query. Open blocks fuse; closed, shared and repeatedly used ones become CTEs."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from sqlglot import exp
from typing_extensions import assert_never

from trickle.errors import InternalError
from trickle.operators import (
    Empty,
    Feed,
    Recompute,
    Recursion,
    Scan,
    SourceColumn,
    Stored,
    StoredRecursion,
    UnionAll,
    Values,
    Working,
    closed_leaf,
)
from trickle.operators.union_all import in_order
from trickle.plan.instant import placed
from trickle.plan.names import Names, beside_weight
from trickle.plan.op import Op, walk
from trickle.plan.schema import WEIGHT
from trickle.render.depth import within_levels
from trickle.render.reads import Binding
from trickle.render.small import in_one_task, is_small
from trickle.sql.block import Block, closed_block, open_block
from trickle.sql.build import alias, cte, null_of, one_task, subquery, union_all, with_ctes

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def render(root: Op, binding: Binding) -> exp.Query:
    """The plan's rows as one query exposing its schema, plus the weight column when it is signed."""
    return Renderer(root, binding).query()


class Renderer:
    """One rendering: the CTEs found so far, in reading order, and the names given out."""

    def __init__(self, root: Op, binding: Binding) -> None:
        self._root = root
        self._binding = binding
        self._names = Names()
        self._ctes: list[exp.CTE] = []
        self._rounds: dict[str, str] = {}
        """Recursion → the CTE that its step reads."""
        self._in_a_step = in_a_step(root)
        self._named: dict[int, tuple[str, Op]] = {}
        self._read: set[str] = set()
        self._in_one_task = in_one_task(root, binding)
        self._readers = Counter(id(child) for op in walk(root) for child in op.children)

    def query(self) -> exp.Query:
        query = with_ctes(self._block(self._root).select(WEIGHT), self._ctes)
        return query if self._binding.clock is None else placed(query, self._binding.clock)

    def _block(self, op: Op) -> Block:
        if id(op) in self._named:
            return self._reading(op, self._named[id(op)][0])
        if not op.children:
            return self._leaf(op)
        if isinstance(op, Recursion):
            return self._recursion(op)
        inputs = tuple(self._open(child, op) for child in op.children)
        return op.block(inputs)

    def _open(self, child: Op, parent: Op) -> Block:
        """The child's block, named as a CTE first when its reader cannot simply continue it."""
        block = self._block(child)
        if id(child) in self._named:
            return block
        shared = self._readers[id(child)] > 1 and bool(child.children)
        needs_name = block.query is not None or shared or parent.reads_closed or _repeats_work(block, parent)
        kept = parent.keeps_queries and not shared and (block.query is None or child.signed == parent.signed)
        if not needs_name or kept:
            return block
        name = self._names.fresh(_CAPITAL.sub("_", type(child).__name__).lower())
        query = self._united(child, block.select(WEIGHT))
        if id(child) in self._in_a_step:
            # Only the step itself may name the round before: what reads it cannot be a CTE beside it.
            return open_block(subquery(query, name), name, _own_names(child), WEIGHT if child.signed else None)
        self._ctes.append(cte(name, query))
        self._named[id(child)] = (name, child)
        return self._reading(child, name)

    def _recursion(self, op: Recursion) -> Block:
        """A CTE that reads itself: the anchor's rows first, which give it its column names and types."""
        if id(op) not in self._named:
            name = self._names.fresh("recursion")
            anchor = in_order(self._block(op.anchor), op.schema.names, op.signed)
            # Not before: the anchor of a change may hold the whole recursion, whose step reads another CTE.
            self._rounds[op.working] = name
            step = in_order(self._block(op.step), op.schema.names, op.signed)
            both = union_all([_branch(anchor.select(WEIGHT)), _branch(step.select(WEIGHT))])
            self._ctes.append(cte(name, both, op.levels))
            self._named[id(op)] = (name, op)
            if op.signed and op.level is not None:
                checked = within_levels(self._reading(op, name), op).select(WEIGHT)
                self._named[id(op)] = (self._names.fresh("within_levels"), op)
                self._ctes.append(cte(self._named[id(op)][0], checked))
        return self._reading(op, self._named[id(op)][0])

    def _united(self, op: Op, query: exp.Query) -> exp.Query:
        """Branches that are one task's each are one task's together: a grouping over them then shuffles nothing."""
        if not isinstance(op, UnionAll) or id(op) not in self._in_one_task:
            return query
        return one_task(subquery(query, "branches"))

    def _reading(self, op: Op, cte: str) -> Block:
        table_alias = self._names.fresh(cte) if cte in self._read else cte
        self._read.add(cte)
        relation = exp.Table(this=exp.to_identifier(cte, quoted=True))
        if table_alias != cte:
            relation.set("alias", exp.TableAlias(this=exp.to_identifier(table_alias, quoted=True)))
        block = open_block(
            relation, table_alias, {name: name for name in op.schema.names}, WEIGHT if op.signed else None
        )
        return self._hinted(block, op, table_alias)

    def _leaf(self, leaf: Op) -> Block:
        op = closed_leaf(leaf)
        match op:
            case Scan():
                return self._source(op, self._binding.source(op.source).at(op.at), op.alias, op.columns, None)
            case Feed():
                reads = self._binding.source(op.source)
                if reads.feed is None:
                    raise InternalError(f"the plan reads the feed of {op.source!r}, but nothing says how")
                own = tuple(replace(one, source=beside_weight(one.source)) for one in op.columns)
                return self._source(op, reads.feed, op.alias, own, WEIGHT)
            case Stored():
                if self._binding.stored is None:
                    raise InternalError("the plan reads the stored rows, but nothing says how")
                own = tuple(SourceColumn(name, name) for name in op.schema.names)
                return self._source(op, self._binding.stored, "stored", own, WEIGHT)
            case Recompute():
                if self._binding.recomputed is None:
                    raise InternalError("the plan recomputes its query, but nothing says how")
                own = tuple(SourceColumn(name, name) for name in op.schema.names)
                return self._source(op, self._binding.recomputed, "recomputed", own, None)
            case StoredRecursion():
                own = tuple(SourceColumn(name, name) for name in op.schema.names)
                return self._source(op, self._binding.stored_relation(op.name), "kept", own, None)
            case Working():
                table_alias = self._names.fresh("round")
                relation = exp.Table(
                    this=exp.to_identifier(self._rounds[op.name], quoted=True),
                    alias=exp.TableAlias(this=exp.to_identifier(table_alias, quoted=True)),
                )
                return open_block(relation, table_alias, _own_names(op), WEIGHT if op.signed else None)
            case Values():
                return _values(op)
            case Empty():
                return _empty(op)
            case _:
                assert_never(op)

    def _source(
        self, op: Op, relation: exp.Expr, wanted: str, columns: tuple[SourceColumn, ...], weight: str | None
    ) -> Block:
        table_alias = self._names.fresh(wanted)
        tree = relation.copy()
        if id(op) in self._in_one_task:
            tree = one_task(tree)
        name = exp.TableAlias(this=exp.to_identifier(table_alias, quoted=True))
        if isinstance(tree, (exp.Table, exp.Subquery)):
            tree.set("alias", name)
        else:
            tree = exp.Subquery(this=tree, alias=name)
        block = open_block(tree, table_alias, {item.name: item.source for item in columns}, weight)
        return self._hinted(block, op, table_alias)

    def _hinted(self, block: Block, op: Op, table_alias: str) -> Block:
        """Spark takes a change feed for endless: unless told otherwise, it shuffles the big side of a join with one."""
        return replace(block, hints=(table_alias,)) if is_small(op, self._binding) else block


def in_a_step(root: Op) -> frozenset[int]:
    """The operators (by id) that read the round before, and are not the recursion it belongs to."""
    found: dict[int, frozenset[str]] = {}
    for op in walk(root):
        rounds = frozenset[str]().union(*(found[id(child)] for child in op.children))
        if isinstance(op, Working):
            rounds |= {op.name}
        found[id(op)] = rounds - {op.working} if isinstance(op, Recursion) else rounds
    return frozenset(place for place, rounds in found.items() if rounds)


def _own_names(op: Op) -> dict[str, str]:
    return {name: name for name in op.schema.names}


def _branch(query: exp.Query) -> exp.Query:
    """A branch of a recursion: Spark wants two of them and no more, whatever unions they are themselves."""
    if not isinstance(query, exp.SetOperation):
        return query
    return exp.Select(expressions=[exp.Star()]).from_(subquery(query, "branches"), copy=False)


def _repeats_work(block: Block, parent: Op) -> bool:
    """Whether continuing the block would print a computed column more than once."""
    used = Counter(node.name for scalar in parent.scalars() for node in scalar.tree.find_all(exp.Column))
    return any(count > 1 and not _cheap(block.outputs.get(name)) for name, count in used.items())


def _cheap(tree: exp.Expr | None) -> bool:
    return tree is None or isinstance(tree, (exp.Column, exp.Literal, exp.Null, exp.Boolean))


def _values(op: Values) -> Block:
    rows: list[exp.Query] = []
    for row in op.rows:
        items = [alias(value.place(), item.name) for item, value in zip(op.columns, row)]
        rows.append(exp.Select(expressions=items))
    return closed_block(union_all(rows), op.schema.names, None)


def _empty(op: Empty) -> Block:
    items: list[exp.Expr] = [alias(null_of(item.type), item.name) for item in op.schema]
    query = exp.Select(expressions=items)
    query.set("where", exp.Where(this=exp.false()))
    return closed_block(query, op.schema.names, None)
