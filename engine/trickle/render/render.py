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
    Join,
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
from trickle.operators.union_all import with_column_order
from trickle.plan.instant import with_clock_literals
from trickle.plan.names import Names, feed_column_name
from trickle.plan.op import Op, walk
from trickle.plan.schema import WEIGHT
from trickle.render.depth import within_levels
from trickle.render.reads import Binding
from trickle.render.small import in_one_task, small_parts
from trickle.sql.block import Block, closed_block, open_block
from trickle.sql.build import alias, cte, null_of, one_task, subquery, union_all, with_ctes

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def render(root: Op, binding: Binding) -> exp.Query:
    """The plan's rows as one query exposing its schema, plus the weight column when it is signed."""
    return Renderer(root, binding).query()


class Renderer:
    """One rendering: the CTEs so far, in reading order, and the names in use."""

    def __init__(self, root: Op, binding: Binding) -> None:
        self._root = root
        self._binding = binding
        self._names = Names()
        self._ctes: list[exp.CTE] = []
        self._working_ctes: dict[str, str] = {}
        """Working leaf → the CTE that it reads."""
        self._inside_steps = inside_steps(root)
        self._ctes_by_op: dict[int, tuple[str, Op]] = {}
        self._read_ctes: set[str] = set()
        self._in_one_task = in_one_task(root, binding)
        self._small = small_parts(root, binding)
        self._readers = Counter(id(child) for op in walk(root) for child in op.children)

    def query(self) -> exp.Query:
        query = with_ctes(self._block(self._root).select(WEIGHT), self._ctes)
        return query if self._binding.clock is None else with_clock_literals(query, self._binding.clock)

    def _block(self, op: Op) -> Block:
        if id(op) in self._ctes_by_op:
            return self._read_cte(op, self._ctes_by_op[id(op)][0])
        if not op.children:
            return self._leaf(op)
        if isinstance(op, Recursion):
            return self._recursion(op)
        inputs = tuple(self._open(child, op) for child in op.children)
        return op.block(inputs)

    def _open(self, child: Op, parent: Op) -> Block:
        """The child's block, made a CTE first where its parent cannot extend it."""
        block = self._block(child)
        if id(child) in self._ctes_by_op:
            return block
        shared = self._readers[id(child)] > 1 and bool(child.children)
        needs_name = block.query is not None or shared or parent.reads_closed or _repeats_work(block, parent)
        needs_name = needs_name or self._is_sent(child, parent)
        keeps_query = parent.keeps_queries and not shared and (block.query is None or child.signed == parent.signed)
        if not needs_name or keeps_query:
            return block
        name = self._names.fresh(_CAPITAL.sub("_", type(child).__name__).lower())
        query = self._union_in_one_task(child, block.select(WEIGHT))
        if id(child) in self._inside_steps:
            # Only the step itself may read the previous round, so its parts cannot be CTEs of their own.
            return open_block(subquery(query, name), name, _own_names(child), WEIGHT if child.signed else None)
        self._ctes.append(cte(name, query))
        self._ctes_by_op[id(child)] = (name, child)
        return self._read_cte(child, name)

    def _is_sent(self, child: Op, parent: Op) -> bool:
        """Whether the few pairs of a join are to be sent to the tasks that read a large table: a hint needs a name."""
        if not isinstance(parent, Join) or not isinstance(child, Join) or child is not parent.left:
            return False
        return id(child) in self._small and id(parent.right) not in self._small

    def _recursion(self, op: Recursion) -> Block:
        """A CTE that reads itself, the anchor first: it determines column names and types."""
        if id(op) not in self._ctes_by_op:
            name = self._names.fresh("recursion")
            anchor = with_column_order(self._block(op.anchor), op.schema.names, op.signed)
            # Not before: the anchor of a change may contain the whole recursion, whose step reads another CTE.
            self._working_ctes[op.working] = name
            step = with_column_order(self._block(op.step), op.schema.names, op.signed)
            both = union_all([_branch(anchor.select(WEIGHT)), _branch(step.select(WEIGHT))])
            self._ctes.append(cte(name, both, op.levels))
            self._ctes_by_op[id(op)] = (name, op)
            if op.signed and op.level is not None:
                checked = within_levels(self._read_cte(op, name), op).select(WEIGHT)
                self._ctes_by_op[id(op)] = (self._names.fresh("within_levels"), op)
                self._ctes.append(cte(self._ctes_by_op[id(op)][0], checked))
        return self._read_cte(op, self._ctes_by_op[id(op)][0])

    def _union_in_one_task(self, op: Op, query: exp.Query) -> exp.Query:
        """Branches that each fit one task, read in one task: a grouping over them then needs no shuffle."""
        if not isinstance(op, UnionAll) or id(op) not in self._in_one_task:
            return query
        return one_task(subquery(query, "branches"))

    def _read_cte(self, op: Op, cte: str) -> Block:
        table_alias = self._names.fresh(cte) if cte in self._read_ctes else cte
        self._read_ctes.add(cte)
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
                    raise InternalError(f"the plan reads the feed of {op.source!r}, and the binding does not define it")
                own = tuple(replace(column, source=feed_column_name(column.source)) for column in op.columns)
                return self._source(op, reads.feed, op.alias, own, WEIGHT)
            case Stored():
                if self._binding.stored is None:
                    raise InternalError("the plan reads the stored rows, and the binding does not define them")
                own = tuple(SourceColumn(name, name) for name in op.schema.names)
                return self._source(op, self._binding.stored, "stored", own, WEIGHT)
            case Recompute():
                if self._binding.recomputed is None:
                    raise InternalError("the plan recomputes its query, and the binding does not define it")
                own = tuple(SourceColumn(name, name) for name in op.schema.names)
                return self._source(op, self._binding.recomputed, "recomputed", own, None)
            case StoredRecursion():
                own = tuple(SourceColumn(name, name) for name in op.schema.names)
                return self._source(op, self._binding.stored_relation(op.name), "kept", own, None)
            case Working():
                table_alias = self._names.fresh("round")
                relation = exp.Table(
                    this=exp.to_identifier(self._working_ctes[op.name], quoted=True),
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
        self, op: Op, relation: exp.Expr, wanted_alias: str, columns: tuple[SourceColumn, ...], weight: str | None
    ) -> Block:
        table_alias = self._names.fresh(wanted_alias)
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
        """The block with a broadcast hint if it is small: Spark has no size of a change feed, and would shuffle."""
        return replace(block, hints=(table_alias,)) if id(op) in self._small else block


def inside_steps(root: Op) -> frozenset[int]:
    """The operators (by id) inside a recursion's step that read the previous round."""
    open_rounds: dict[int, frozenset[str]] = {}
    for op in walk(root):
        rounds = frozenset[str]().union(*(open_rounds[id(child)] for child in op.children))
        if isinstance(op, Working):
            rounds |= {op.name}
        open_rounds[id(op)] = rounds - {op.working} if isinstance(op, Recursion) else rounds
    return frozenset(op_id for op_id, rounds in open_rounds.items() if rounds)


def _own_names(op: Op) -> dict[str, str]:
    return {name: name for name in op.schema.names}


def _branch(query: exp.Query) -> exp.Query:
    """A branch of a recursion: Spark accepts exactly two, so a branch that is a union is put into a subquery."""
    if not isinstance(query, exp.SetOperation):
        return query
    return exp.Select(expressions=[exp.Star()]).from_(subquery(query, "branches"), copy=False)


def _repeats_work(block: Block, parent: Op) -> bool:
    """Whether extending the block would print a computed column more than once."""
    used = Counter(node.name for scalar in parent.scalars() for node in scalar.tree.find_all(exp.Column))
    return any(count > 1 and not _cheap(block.outputs.get(name)) for name, count in used.items())


def _cheap(tree: exp.Expr | None) -> bool:
    return tree is None or isinstance(tree, (exp.Column, exp.Literal, exp.Null, exp.Boolean))


def _values(op: Values) -> Block:
    rows: list[exp.Query] = []
    for row in op.rows:
        items = [alias(value.tree_copy(), item.name) for item, value in zip(op.columns, row)]
        rows.append(exp.Select(expressions=items))
    return closed_block(union_all(rows), op.schema.names, None)


def _empty(op: Empty) -> Block:
    items: list[exp.Expr] = [alias(null_of(item.type), item.name) for item in op.schema]
    query = exp.Select(expressions=items)
    query.set("where", exp.Where(this=exp.false()))
    return closed_block(query, op.schema.names, None)
