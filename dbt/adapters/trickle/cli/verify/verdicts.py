"""The scenarios that the verify command's options select, and the report of their verdicts."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from dbt.adapters.trickle.cli.queries import read_queries
from dbt.adapters.trickle.cli.refusal import Refusal
from dbt.adapters.trickle.cli.schema_file import read_schema, resolver
from dbt.adapters.trickle.cli.verify.case_file import CASE, read_cases
from dbt.adapters.trickle.cli.verify.generate import Sizes, generated
from dbt.adapters.trickle.cli.verify.pool import GIBIBYTE, outcomes
from dbt.adapters.trickle.cli.verify.ring_names import DUCKDB
from dbt.adapters.trickle.cli.verify.run import FAULTS, Verdict
from dbt.adapters.trickle.cli.verify.scenario import Scenario
from dbt.adapters.trickle.cli.verify.write_case import write_case

SCHEMA = "schema"


def verify(given: argparse.Namespace) -> int:
    """Verify the selected scenarios; 1 if any is not exact."""
    scenarios = list(selected(given))
    if not scenarios:
        raise Refusal("there is nothing to verify")
    if given.ring != DUCKDB and given.jobs > 1:
        raise Refusal("--jobs is for DuckDB: Spark already uses every core")
    by_id = {scenario.id: scenario for scenario in scenarios}
    verdicts: Counter[Verdict] = Counter()
    recomputed = 0
    on_duckdb = given.ring == DUCKDB
    memory = int(given.memory * GIBIBYTE) if on_duckdb else 0
    if given.jobs > 1 and not memory:
        raise Refusal("--jobs needs separate processes: leave out --memory 0")
    for outcome in outcomes(scenarios, given.ring, given.jobs, on_duckdb and not given.by_turns, memory):
        verdicts[outcome.verdict] += 1
        recomputed += outcome.verdict is Verdict.EXACT and outcome.maintained == "recompute"
        sys.stdout.write(json.dumps(outcome.as_dict(), ensure_ascii=False) + "\n")
        sys.stdout.flush()
        if outcome.verdict is Verdict.MISMATCHED and given.write_mismatched is not None:
            write_case(by_id[outcome.id], given.write_mismatched)
    always_shown = (Verdict.EXACT, Verdict.MISMATCHED, Verdict.UNSUPPORTED)
    counted = ", ".join(
        f"{verdicts[verdict]} {verdict.value}" for verdict in Verdict if verdicts[verdict] or verdict in always_shown
    )
    sys.stdout.write(f"{counted} ({recomputed} of the exact by recomputation)\n" if recomputed else f"{counted}\n")
    return 1 if any(verdicts[verdict] for verdict in FAULTS) else 0


def selected(given: argparse.Namespace) -> Iterator[Scenario]:
    """The scenarios of all files, filtered by --only and --limit."""
    count = 0
    for scenario in _all(given):
        if given.only and not any(scenario.id == name or scenario.id.startswith(f"{name}/") for name in given.only):
            continue
        if given.limit is not None and count >= given.limit:
            return
        count += 1
        yield scenario


def _all(given: argparse.Namespace) -> Iterator[Scenario]:
    cases = [file for file in given.files if Path(file).is_dir() or file.endswith(CASE)]
    queries = [file for file in given.files if file not in cases]
    for file in cases:
        yield from read_cases(Path(file))
    sizes = Sizes(given.rows, given.rounds, given.seed)
    if given.model:
        # Compiling a project imports dbt, which the rest of the command does without.
        from dbt.adapters.trickle.cli.model import compiled_models

        with compiled_models(given.model, given.project_dir, given.profiles_dir, given.target) as (models, resolve):
            yield from [generated(model, resolve, sizes) for model in models]
    if not queries:
        if not given.model and not cases:
            raise Refusal("give case files, files with queries and --schema, or --model NAME")
        return
    if given.schema is None:
        raise Refusal("--schema FILE.json is needed: the columns of the tables in these queries")
    resolve = resolver(read_schema(given.schema), SCHEMA)
    for query in read_queries(queries):
        yield generated(query, resolve, sizes)
