"""The catalogue of reasons: every code a user can meet, its sentence, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from trickle.errors import Position, Reason


@dataclass(frozen=True)
class Entry:
    """The sentence of a code, with {words} to fill in, and its remedy."""

    message: str
    remedy: str = ""


HIDDEN_INPUT_REASONS = frozenset(
    {
        "clock_function",
        "file_metadata",
        "session_function",
        "table_function",
        "time_travel",
        "unknown_function",
        "user_function",
    }
)
"""Reasons that say a result can change although no source did: something is read that nobody here sees change."""

RECOMPUTE: dict[str, Entry] = {
    "value_of_no_rows": Entry(
        "It is not known what {what} answers over no rows, as it must in a subquery that names outer columns.",
        "Join to a derived table that groups.",
    ),
    "in_as_value": Entry(
        "NOT over IN (SELECT …): where a NULL is compared, the answer hangs on what Spark's optimizer makes of it.",
        "Use NOT EXISTS, or leave NULLs out of both sides.",
    ),
    "window_over_everything": Entry(
        "{what} without PARTITION BY looks at all rows: it is maintained where only a SELECT list and conditions stand "
        "above it, because then each row is stored with its answer.",
        "Make it a model of its own, or add PARTITION BY.",
    ),
    "window_total": Entry(
        "{what} without PARTITION BY and ORDER BY shows every row a value of all rows: when it changes, all rows do.",
        "Add PARTITION BY, group below it, or accept recomputation.",
    ),
    "window_ties": Entry(
        "{what} shows which of several rows that tie in its ORDER BY comes first.",
        "Add columns to the ORDER BY until no rows tie, and a ROWS frame.",
    ),
    "recursion_step": Entry(
        "The step of the recursion does more than make rows of single rows: it groups them, or compares them with each "
        "other.",
        "Name the recursion once in the step, in a join, and group outside of it.",
    ),
    "recursion_cut": Entry(
        "LIMIT without ORDER BY over a recursion: Spark stops the recursion once it has enough rows, whichever "
        "they are.",
        "Add an ORDER BY, or end the recursion by a condition in its step.",
    ),
    "recursion_not_kept": Entry(
        "{what} over a recursion: the rows of the recursion would have to be stored, and its table has no place for "
        "them.",
        "Make the recursion a model of its own.",
    ),
    "pivot": Entry("{what} is not maintained incrementally.", "Write it as a subquery, or as aggregates with FILTER."),
    "row_generator": Entry("{what} here is not maintained incrementally.", "Compute it in a derived table."),
    "sessions": Entry(
        "{what} is maintained where its gap is a text, and GROUP BY names it whole and with columns beside it.",
        "Group by the columns whose values have sessions of their own.",
    ),
    "table_function": Entry("Reading from {what} is not maintained incrementally.", "Put its rows into a table."),
    "left_lateral_without_on": Entry(
        "Spark forgets the LEFT of a LEFT JOIN LATERAL over {what} that has no ON: rows of which nothing is made are "
        "gone.",
        "Say ON TRUE, or use the function that ends in _OUTER.",
    ),
    "sample": Entry("TABLESAMPLE picks other rows every time.", "Filter on a hash of the key instead."),
    "time_travel": Entry("{what} names a version itself.", "Remove the version: the model is pinned on its own."),
    "volatile_function": Entry("{what} may answer differently for the same row.", "Compute it upstream and store it."),
    "clock_function": Entry(
        "{what} changes with time, in a way no literal stands for.", "Use current_date or current_timestamp."
    ),
    "session_function": Entry("{what} depends on who runs the model.", "Write the value as a literal."),
    "unknown_function": Entry(
        "Nothing is known about the function {what}: it may not be deterministic.",
        "Use built-in functions, or SQL functions of the catalog.",
    ),
    "user_function": Entry(
        "The function {what} may answer otherwise although no source changed: {detail}.",
        "Make it a SQL function that is deterministic and reads no tables.",
    ),
    "file_metadata": Entry(
        "{what} says in which file a row lies: files are written anew without any row having changed.",
        "Leave it out, or store it upstream.",
    ),
    "order_sensitive_aggregate": Entry(
        "{what} depends on the order in which it meets the rows of a group: the same rows may give another answer.",
        "Use an aggregate that depends on the values alone, such as PERCENTILE, COUNT(DISTINCT …) or theta_sketch_agg.",
    ),
    "order_from_below": Entry(
        "{what} depends on the order of the subquery below, which is not kept.",
        "Say the order where it counts: beside the LIMIT, or in the aggregate as MIN_BY(x, t), SORT_ARRAY(…), "
        "LISTAGG(…) WITHIN GROUP (ORDER BY t).",
    ),
    "clause": Entry("{what} is not maintained incrementally.", "Remove it, or accept recomputation."),
    "union_types": Entry("The branches of UNION disagree on the type of column {what}.", "CAST both to one type."),
    "union_type_unknown": Entry(
        "The type of column {what} of a branch of UNION is not known here: Spark says it when dbt runs.",
        "CAST it, to have it maintained without asking.",
    ),
    "ambiguous_alias": Entry(
        "{what} is both a key of GROUPING SETS and an alias: which of them HAVING means hangs on what else it names.",
        "Rename the alias.",
    ),
    "unmatched_group_expression": Entry(
        "{what} is not written like the GROUP BY expression it stands for.", "Repeat it word for word."
    ),
    "unmergeable_type": Entry(
        "GROUP BY {what}: groups cannot be told apart by a MAP or VARIANT.", "Group by TO_JSON(…) of it."
    ),
    "collation": Entry(
        "{what}: texts that are equal by a collation are not the same text, and which of them Spark shows is chance.",
        "Group by and compare LOWER(…), or another expression that makes them the same.",
    ),
    "view_by_name": Entry(
        "The view {what} is read by its name and as it is now, because {detail}.",
        "Create the view anew, or write its SELECT into the model.",
    ),
    "not_versioned": Entry("{what} is not a Delta table: it has no versions to read.", "Make it a Delta table."),
    "reads_differently": Entry("The SQL parser and Spark read this query differently.", "Report the query, please."),
    "only_spark_reads": Entry(
        "Spark reads this query, and dbt-trickle takes it for wrong: {what}.", "Report the query, please."
    ),
    "too_deep": Entry(
        "The query is nested too deep to be maintained: {what}.",
        "Take it apart into several models, or write long chains otherwise: IN (…) for many ORs.",
    ),
    "unresolved_name": Entry(
        "The name {what} could not be resolved the way Spark does.",
        "Qualify it with its table's alias, or give it with AS.",
    ),
}
"""Why a query, or a part of it, is recomputed instead of maintained."""

REFRESH: dict[str, Entry] = {
    "first_build": Entry("The table does not exist yet."),
    "full_refresh": Entry("--full-refresh was asked for."),
    "definition_changed": Entry("{what} changed since the last refresh."),
    "contract_changed": Entry("{what} changed since the last refresh."),
    "shows_another_instant": Entry(
        "The last refresh, by the first release of dbt-trickle, recorded another instant than its rows show."
    ),
    "setting_restored": Entry(
        "A hook or the model's own Jinja has set {what}, on which results depend: the model was refreshed with the "
        "profile's value.",
        "Set it for all models, in the profile's `server_side_parameters`.",
    ),
    "state_missing": Entry("The storage table carries no stamp of ours: {what}."),
    "source_recreated": Entry("{what} is another table than at the last refresh."),
    "source_replaced": Entry("{what} was replaced since the last refresh: {detail}."),
    "source_altered": Entry("{what} was altered since the last refresh: {detail}."),
    "source_unreadable": Entry("What changed in {what} cannot be read any more: {detail}."),
    "feed_missing": Entry(
        "What changed in {what} is in no change feed: {detail}.", "Set delta.enableChangeDataFeed on it."
    ),
    "source_not_versioned": Entry("{what} is not a Delta table, so its changes cannot be seen."),
    "new_source": Entry("{what} was not among the sources of the last refresh."),
    "no_source_changed": Entry("No source changed since the last refresh."),
    "only_maintenance": Entry("Sources had maintenance commits only."),
    "only_added": Entry("Sources only gained rows and every gained row is a new row of the result."),
    "few_changes": Entry("Maintaining costs less than recomputing: {detail}."),
    "cheaper_full": Entry("Recomputing costs less than maintaining: {detail}."),
    "stored_rows_differ": Entry(
        "What the sources say was removed is not what is stored, as sums of FLOAT and DOUBLE in the middle of a query "
        "may differ in their last digits."
    ),
    "rows_run_out": Entry("So many of the first rows went that those kept beside them did not suffice."),
    "recursion_limit": Entry(
        "Following the change through the recursion, a limit of Spark's was met. Only the whole query tells whether it "
        "ends.",
    ),
    "statement_too_deep": Entry(
        "Spark could not follow the statement that applies the change: it is nested deeper than the query itself.",
        "Take the query apart into several models.",
    ),
    "bad_value": Entry(
        "The change holds a value on which the query fails, perhaps of a row that has gone again. Only the whole query "
        "tells whether its result has one."
    ),
    "forced_full": Entry("refresh_mode is full."),
    "forced_incremental": Entry("refresh_mode is incremental."),
    "recompute": Entry("The query is recomputed and only the differences are written: {detail}"),
    "held_back": Entry(
        "Something newer is left unread so that all fits together: {detail}.",
        "Run the model together with all it reads: `dbt run -s +model`.",
    ),
    "inputs_disagree": Entry(
        "What the model reads does not stand for one moment: {detail}. Each was read as it is.",
        "Run the model together with all it reads: `dbt run -s +model`.",
    ),
    "pin_lost": Entry(
        "{what} was dropped and created again in the middle of this run: what the run had read before is gone."
    ),
    "model_read_as_source": Entry(
        "{what} is the table of the model {detail}, which is not among what this model refers to: dbt may make it "
        "anew after this run has read it, and then the run keeps to what it read first.",
        "Use ref() and not source() or a plain name.",
    ),
    "made_apart": Entry(
        "{what} is made by dbt and not maintained, so it may stand for other versions than this run: {detail}.",
        "Make it a stream table, or a view.",
    ),
    "change_not_applied": Entry(
        "{detail} `on_configuration_change: continue` leaves the table as it was.",
        "Say apply, or run with --full-refresh.",
    ),
    "above_threshold": Entry("More rows changed than full_refresh_threshold allows: {detail}."),
}
"""Why a refresh did what it did."""

CATALOGUE = {**RECOMPUTE, **REFRESH}


def reason(code: str, position: Optional[Position] = None, **words: str) -> Reason:
    """A reason of the catalogue with its words filled in."""
    entry = CATALOGUE[code]
    return Reason(code, entry.message.format(**words), position, entry.remedy)
