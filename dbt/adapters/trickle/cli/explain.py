"""dbt-trickle explain: what would be done with each query, and why. Needs no Spark."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dbt.adapters.trickle.catalog.answers import Answers, Resolve, answered
from dbt.adapters.trickle.cli.bugs import BUGS, describe_bug
from dbt.adapters.trickle.cli.project import add_project_options
from dbt.adapters.trickle.cli.queries import Query, read_queries
from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.cli.schema_file import read_schema, resolver
from trickle import InternalError, Options, Reason, explain
from trickle.planning.explain import Explanation, passes
from trickle.reasons import reason

SCHEMA = "schema"
FAILED = "failed"


def add_parser(subcommands: Any) -> None:
    parser = subcommands.add_parser(
        "explain",
        help="say how queries would be maintained, and why not where they would not",
        description="Prints, for every query, whether it is maintained incrementally, what that reads, how changes "
        "reach the table, and each reason with its place in the text. Exit code 1 when a query is invalid; recomputing "
        "is not an error.",
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="SQL file, JSONL of {id, sql}, or - for standard input"
    )
    parser.add_argument("--schema", type=Path, metavar="FILE.json", help="table → column list, as Spark writes it")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="for people, or one JSON line a query"
    )
    parser.add_argument("--summary", action="store_true", help="count verdicts, classes and reasons at the end")
    parser.add_argument(
        "--without", action="append", default=[], metavar="PASS", help="with a pass over plans switched off; repeatable"
    )
    parser.add_argument("--model", nargs="+", default=[], metavar="NAME", help="explain models of a dbt project")
    add_project_options(parser)
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Explain everything asked for; 1 when anything is invalid."""
    verdicts: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    with _asked_for(given) as explained:
        for query, explanation in explained:
            verdicts[explanation.verdict] += 1
            if explanation.read_class is not None:
                classes[explanation.read_class.value] += 1
            codes.update({reason.code for reason in explanation.reasons})
            sys.stdout.write(shown(query, explanation, given.format) + "\n")
    if given.summary:
        sys.stdout.write(summary(verdicts, classes, codes, given.format) + "\n")
    return 1 if verdicts["invalid"] or verdicts[FAILED] else 0


@contextmanager
def _asked_for(given: argparse.Namespace) -> Generator[Iterable[tuple[Query, Explanation]], None, None]:
    unknown = set(given.without) - set(passes(Options()))
    if unknown:
        raise Refusal(f"--without: there is no pass {min(unknown)}; there are {', '.join(passes(Options()))}")
    options = Options(disabled_rewrites=frozenset(given.without))
    if given.model:
        # Reading a project needs dbt, which the rest of the command does without.
        from dbt.adapters.trickle.cli.model import compiled_models

        with compiled_models(given.model, given.project_dir, given.profiles_dir, given.target) as (models, resolve):
            yield ((model, explain_one(model, resolve, options)) for model in models)
        return
    if not given.files:
        raise Refusal("give a file with queries, - for standard input, or --model NAME")
    if given.schema is None:
        raise Refusal("--schema FILE.json must say which columns the tables have")
    known = resolver(read_schema(given.schema), SCHEMA)
    yield ((query, explain_one(query, known, options)) for query in read_queries(given.files))


def explain_one(query: Query, resolve: Resolve, options: Options) -> Explanation:
    """The verdict; `failed` when the engine has a bug, so that the other queries go on."""
    try:
        explanation, _ = answered(lambda facts: explain(query.sql, facts, options), Answers(resolve))
    except InternalError as bug:
        return Explanation(FAILED, "", (Reason(bug.code, bug.message, bug.position, bug.remedy),))
    except RecursionError:
        return Explanation("recompute", "", (reason("too_deep", what="its parts cannot be followed"),))
    except BUGS as bug:
        return Explanation(FAILED, "", (Reason(InternalError.code, describe_bug(bug)),))
    return explanation


def shown(query: Query, explanation: Explanation, form: str) -> str:
    """One query's answer: a JSON line, or a paragraph."""
    if form == "json":
        return json.dumps({"id": query.id, **explanation.as_dict()}, ensure_ascii=False)
    return f"── {query.id}\n{explanation.as_text(query.sql)}\n"


def summary(verdicts: Counter[str], classes: Counter[str], codes: Counter[str], form: str) -> str:
    """How many of each verdict and of each class, and how many queries meet each reason."""
    if form == "json":
        counters = {"verdicts": verdicts, "classes": classes, "codes": codes}
        return json.dumps({name: dict(counter.most_common()) for name, counter in counters.items()})
    reasons = [f"{count:6d}  {code}" for code, count in codes.most_common()]
    return "\n".join([_counted(verdicts) or "no queries", *([_counted(classes)] if classes else []), *reasons])


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counter.most_common())
