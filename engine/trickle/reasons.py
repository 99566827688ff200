"""The catalogue of reasons: every code that users can see, with its sentence and what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from trickle.errors import Position, Reason


@dataclass(frozen=True)
class Entry:
    """The sentence of a code, with {parameters}, and its remedy."""

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
"""Reasons for which a result can change although no source did: the query has a hidden input, whose changes cannot be
detected."""

RECOMPUTE: dict[str, Entry] = {
    "value_of_no_rows": Entry(
        "The value of {what} over no rows is not known, and a subquery that names outer columns needs it.",
        "Join to a derived table that groups.",
    ),
    "in_as_value": Entry(
        "NOT over IN (SELECT …): where a NULL is compared, the result depends on Spark's optimizer.",
        "Use NOT EXISTS, or leave NULLs out of both sides.",
    ),
    "window_over_everything": Entry(
        "{what} without PARTITION BY reads all rows: it is maintained only below a SELECT list and conditions, where "
        "each row is stored with its value.",
        "Make it a model of its own, or add PARTITION BY.",
    ),
    "window_total": Entry(
        "{what} without PARTITION BY and ORDER BY gives every row the same value: when it changes, all rows change.",
        "Add PARTITION BY, group below it, or accept recomputation.",
    ),
    "window_ties": Entry(
        "{what} depends on the order of rows that tie in its ORDER BY.",
        "Add columns to the ORDER BY until no rows tie, and a ROWS frame.",
    ),
    "recursion_step": Entry(
        "The step of the recursion does more than derive rows from single rows: it groups them, or compares them "
        "with each other.",
        "Name the recursion once in the step, in a join, and group outside of it.",
    ),
    "recursion_cut": Entry(
        "LIMIT without ORDER BY over a recursion: Spark stops the recursion once it has enough rows, whichever "
        "these are.",
        "Add an ORDER BY, or end the recursion by a condition in its step.",
    ),
    "recursion_not_kept": Entry(
        "{what} over a recursion: the recursion's rows would have to be stored, and this layout cannot store them.",
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
        "Spark ignores the LEFT of a LEFT JOIN LATERAL over {what} without ON: it drops rows from which no rows are "
        "generated.",
        "Write ON TRUE, or use the function that ends in _OUTER.",
    ),
    "sample": Entry("TABLESAMPLE returns different rows every time.", "Filter on a hash of the key instead."),
    "time_travel": Entry(
        "{what} is read at a version that the query names.",
        "Remove the version: every refresh reads one version anyway.",
    ),
    "volatile_function": Entry(
        "{what} may return different values for the same row.", "Compute it upstream and store it."
    ),
    "clock_function": Entry(
        "{what} changes with time, and no literal can replace it.", "Use current_date or current_timestamp."
    ),
    "session_function": Entry("{what} depends on who runs the model.", "Write the value as a literal."),
    "unknown_function": Entry(
        "Nothing is known about the function {what}: it may not be deterministic.",
        "Use built-in functions, or SQL functions of the catalog.",
    ),
    "user_function": Entry(
        "The function {what} may return other values although no source changed: {detail}.",
        "Make it a SQL function that is deterministic and reads no tables.",
    ),
    "file_metadata": Entry(
        "{what} is the file of a row: files are rewritten without a change of any row.",
        "Leave it out, or store it upstream.",
    ),
    "order_sensitive_aggregate": Entry(
        "{what} depends on the order of the rows of a group: the same rows may give another result.",
        "Use an aggregate that depends on the values alone, such as PERCENTILE, COUNT(DISTINCT …) or theta_sketch_agg.",
    ),
    "order_from_below": Entry(
        "{what} depends on the order of the subquery below, which is not kept.",
        "Write the order where it is needed: with the LIMIT, or in the aggregate as MIN_BY(x, t), SORT_ARRAY(…), "
        "LISTAGG(…) WITHIN GROUP (ORDER BY t).",
    ),
    "clause": Entry("{what} is not maintained incrementally.", "Remove it, or accept recomputation."),
    "union_types": Entry("The branches of UNION disagree on the type of column {what}.", "CAST both to one type."),
    "union_type_unknown": Entry(
        "The type of column {what} of a branch of UNION is not known here: Spark decides it when dbt runs.",
        "CAST it to make its type known.",
    ),
    "ambiguous_alias": Entry(
        "{what} is both a key of GROUPING SETS and an alias: which of them HAVING means depends on its other names.",
        "Rename the alias.",
    ),
    "unmatched_group_expression": Entry(
        "{what} is written differently from the GROUP BY expression it repeats.", "Repeat it word for word."
    ),
    "unmergeable_type": Entry(
        "GROUP BY {what}: Spark cannot compare values of MAP or VARIANT.", "Group by TO_JSON(…) of it."
    ),
    "collation": Entry(
        "{what}: texts that are equal by a collation may differ, and which of them Spark returns is not determined.",
        "Group by and compare LOWER(…), or another expression that makes them equal.",
    ),
    "view_by_name": Entry(
        "The view {what} is read by its name, at its current definition, because {detail}.",
        "Create the view again, or write its SELECT into the model.",
    ),
    "not_versioned": Entry("{what} is not a Delta table: it has no versions to read.", "Make it a Delta table."),
    "reads_differently": Entry("dbt-trickle and Spark parse this query differently.", "Report the query, please."),
    "only_spark_reads": Entry(
        "Spark accepts this query, and dbt-trickle's parser refuses it: {what}.", "Report the query, please."
    ),
    "too_deep": Entry(
        "The query is nested too deep to be maintained: {what}.",
        "Split it into several models, or shorten long chains: IN (…) for many ORs.",
    ),
    "unresolved_name": Entry(
        "The name {what} could not be resolved as in Spark.",
        "Qualify it with its table's alias, or name it with AS.",
    ),
}
"""Reasons for recomputing a query, or a part of it, instead of maintaining it."""

REFRESH: dict[str, Entry] = {
    "first_build": Entry("The table does not exist yet."),
    "full_refresh": Entry("--full-refresh was requested."),
    "definition_changed": Entry("{what} changed since the last refresh."),
    "contract_changed": Entry("{what} changed since the last refresh."),
    "shows_another_instant": Entry(
        "The last refresh, by the first release of dbt-trickle, recorded another instant than that of its rows."
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
    "source_unreadable": Entry("The changes of {what} can no longer be read: {detail}."),
    "feed_missing": Entry(
        "The changes of {what} are not in its change feed: {detail}.", "Set delta.enableChangeDataFeed on it."
    ),
    "source_not_versioned": Entry("{what} is not a Delta table, so its changes cannot be detected."),
    "new_source": Entry("{what} was not among the sources of the last refresh."),
    "no_source_changed": Entry("No source changed since the last refresh."),
    "only_maintenance": Entry("Sources had maintenance commits only."),
    "only_added": Entry("Sources only gained rows and every gained row is a new row of the result."),
    "few_changes": Entry("Maintaining costs less than recomputing: {detail}."),
    "cheaper_full": Entry("Recomputing costs less than maintaining: {detail}."),
    "stored_rows_differ": Entry(
        "The rows removed by the change are not among the stored rows: sums of FLOAT and DOUBLE inside a query may "
        "differ in their last digits."
    ),
    "rows_run_out": Entry("More of the first rows were removed than the stored spare rows can replace."),
    "recursion_limit": Entry(
        "The change of the recursion reached a limit of Spark. Only the whole query shows whether the recursion ends.",
    ),
    "statement_too_deep": Entry(
        "Spark could not run the statement that applies the change: it is nested deeper than the query itself.",
        "Split the query into several models.",
    ),
    "bad_value": Entry(
        "The change contains a value on which the query fails, perhaps in a row that is removed again. Only the whole "
        "query shows whether its result contains one."
    ),
    "sum_overflows": Entry(
        "A sum, or the change of one, has more than 38 digits. Only the whole query shows whether its result does."
    ),
    "forced_full": Entry("refresh_mode is full."),
    "forced_incremental": Entry("refresh_mode is incremental."),
    "recompute": Entry("The query is recomputed and only the differences are written: {detail}"),
    "held_back": Entry(
        "A newer version is not read, so that all inputs agree: {detail}.",
        "Run the model together with all it reads: `dbt run -s +model`.",
    ),
    "inputs_disagree": Entry(
        "The model's inputs reflect different versions of a source: {detail}. Each was read at its newest version.",
        "Run the model together with all it reads: `dbt run -s +model`.",
    ),
    "pin_lost": Entry(
        "{what} was dropped and created again during this run: the version that the run has read no longer exists."
    ),
    "model_read_as_source": Entry(
        "{what} is the table of the model {detail}, which this model does not ref(): dbt may rebuild it after this run "
        "has read it, and then the run keeps the version it read first.",
        "Use ref() and not source() or a plain name.",
    ),
    "made_apart": Entry(
        "{what} is built by dbt and not maintained, so it may reflect other versions than this run: {detail}.",
        "Make it a stream table, or a view.",
    ),
    "change_not_applied": Entry(
        "{detail} `on_configuration_change: continue` leaves the table as it was.",
        "Set it to apply, or run with --full-refresh.",
    ),
    "above_threshold": Entry("More rows changed than full_refresh_threshold allows: {detail}."),
}
"""Reasons for the action of a refresh."""

CATALOGUE = {**RECOMPUTE, **REFRESH}


def reason(code: str, position: Optional[Position] = None, **words: str) -> Reason:
    """A reason of the catalogue with its parameters filled in."""
    entry = CATALOGUE[code]
    return Reason(code, entry.message.format(**words), position, entry.remedy)
