"""The records of a measurement become medians, ratios and verdicts."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from benchmarks.journal import Record, Round
from benchmarks.tpch_results import document

MACHINE = {"cores": 2, "memory": 8.0, "processor": "P", "versions": {"pyspark": "4.2.0"}, "commit": "abc"}
SETTINGS = {"scale": "1", "memory": "8g"}
RUN: Record = {"kind": "run", "at": "2026-11-20T00:00:00+00:00", "machine": MACHINE, "settings": SETTINGS}


def node(
    number: int, query: str, variant: str, wall: float, action: str = "", cpu: float | None = None, **others: Any
) -> Record:
    response = {"action": action or {"full": "FULL", "table": ""}.get(variant, "INCREMENTAL"), "strategy": "merge"}
    values = {"round": number, "query": query, "variant": variant, "wall": wall, "cpu": wall if cpu is None else cpu}
    return {"kind": "node", "status": "success", "response": response, **values, **others}


def journal(*rounds: dict[str, dict[str, float]], actions: dict[str, str] | None = None) -> list[Record]:
    """Measured rounds of append: query → variant → seconds; `actions` of auto by query."""
    records: list[Record] = [RUN]
    for number, queries in enumerate(rounds, 1):
        records.append({"kind": "round", **asdict(Round(number, "append", 0.1, measured=True))})
        for query, ways in queries.items():
            for variant, wall in ways.items():
                action = (actions or {}).get(query, "") if variant == "auto" else ""
                records.append(node(number, query, variant, wall, action))
        records.append({"kind": "end", "round": number, "load": 1.5})
    return records


def regime(records: list[Record]) -> dict[str, Any]:
    (found,) = document(records)["regimes"]
    assert isinstance(found, dict)
    return found


def ways(auto: float, incremental: float, full: float, table: float) -> dict[str, float]:
    return {"auto": auto, "incremental": incremental, "full": full, "table": table}


def test_a_ratio_is_the_better_rival_over_auto() -> None:
    """Of medians, so that one slow round does not count."""
    records = journal(
        {"q01": ways(1.0, 1.0, 6.0, 4.0)}, {"q01": ways(9.0, 1.0, 6.0, 4.0)}, {"q01": ways(2.0, 1.0, 6.0, 4.0)}
    )

    (query,) = regime(records)["queries"]

    assert query["ways"]["auto"]["median"]["wall"] == 2.0
    assert query["ratio"]["wall"] == 2.0


def test_wall_and_cpu_have_rivals_of_their_own() -> None:
    """full may take less time and table less of the processor: auto is compared with the least of each."""
    records = [*journal({})[:-1]]
    records += [node(1, "q01", "auto", 1.0, cpu=1.0), node(1, "q01", "full", 2.0, cpu=9.0)]
    records += [node(1, "q01", "table", 3.0, cpu=5.0), {"kind": "end", "round": 1, "load": 1.0}]

    assert regime(records)["queries"][0]["ratio"] == {"wall": 2.0, "cpu": 5.0}


def test_means_and_counts_are_over_changed_queries() -> None:
    """q04 had nothing to do, in no time: it would make every mean look good, so it is left out, and named."""
    one_round = {
        "q01": ways(1.0, 1.0, 8.0, 9.0),
        "q02": ways(1.0, 1.0, 2.0, 4.0),
        "q03": ways(4.0, 4.0, 2.0, 2.0),
        "q04": ways(0.01, 0.01, 2.0, 2.0),
    }
    figures = regime(journal(one_round, actions={"q04": "NO_DATA"}))["summary"]

    assert figures["geometric_mean"]["wall"] == pytest.approx(2.0)
    assert (figures["at_least_3"], figures["at_least_2"], figures["worse"]) == (1, 2, ["q03"])
    assert (figures["queries"], figures["compared"], figures["unchanged"]) == (4, 3, ["q04"])


def test_a_tenth_is_noise() -> None:
    """Only what takes more than a tenth longer than the better rival is worse."""
    one_round = {"q01": ways(1.05, 1.0, 1.0, 1.0), "q02": ways(1.2, 1.0, 1.0, 1.0)}

    assert regime(journal(one_round))["summary"]["worse"] == ["q02"]


def test_full_is_compared_with_the_plain_table() -> None:
    """What a recompute of ours costs beside dbt's, over the queries that had something to do."""
    one_round = {"q01": ways(1.0, 1.0, 8.0, 4.0), "q02": ways(1.0, 1.0, 1.0, 2.0), "q03": ways(0.1, 0.1, 0.1, 2.0)}
    figures = regime(journal(one_round, actions={"q03": "NO_DATA"}))["summary"]

    assert figures["full_over_table"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("action", "seconds", "wrong"),
    [
        ("FULL", ways(2.0, 1.0, 2.0, 2.0), True),
        ("FULL", ways(2.0, 1.9, 2.0, 2.0), False),
        ("FULL", ways(2.0, 3.0, 2.0, 0.5), False),
        ("INCREMENTAL", ways(2.0, 2.0, 1.0, 2.0), True),
        ("APPEND", ways(2.0, 2.0, 1.9, 0.5), False),
        ("NO_DATA", ways(2.0, 2.0, 1.0, 1.0), False),
    ],
)
def test_a_wrong_choice_is_a_tenth_slower_than_the_other_way(
    action: str, seconds: dict[str, float], wrong: bool
) -> None:
    """Between maintaining and recomputing; the plain table is no choice of auto's."""
    found = regime(journal({"q01": seconds}, actions={"q01": action}))

    assert found["summary"]["wrong_choices"] == (["q01"] if wrong else [])
    assert found["queries"][0]["wrong_choice"] is wrong


def test_without_another_way_no_choice_is_wrong() -> None:
    """A query that is recomputed even when maintenance is forced."""
    records = [*journal({})[:-1]]
    records += [node(1, "q01", "auto", 2.0, "FULL"), node(1, "q01", "incremental", 1.0, "FULL")]
    records += [node(1, "q01", "full", 1.0), {"kind": "end", "round": 1, "load": 1.0}]

    assert regime(records)["summary"]["wrong_choices"] == []


def test_a_failed_refresh_is_no_fast_one() -> None:
    """Its variant has no median, and it is named."""
    records = journal({"q01": {"incremental": 1.0, "full": 4.0}})
    records.insert(-1, node(1, "q01", "auto", 0.1, status="error"))

    found = regime(records)

    assert found["queries"][0]["ratio"] is None
    assert found["queries"][0]["ways"]["auto"]["median"] is None
    assert found["summary"]["failed"] == ["q01 auto"]
    assert found["summary"]["geometric_mean"] == {"wall": None, "cpu": None}


def test_only_whole_measured_rounds_count() -> None:
    """A round that was cut off, one that warmed up, and those before beginning afresh do not."""
    old = journal({"q01": ways(100.0, 1.0, 1.0, 1.0)})
    warm: Record = {"kind": "round", **asdict(Round(2, "append", 0.1, measured=False))}
    unmeasured = [warm, node(2, "q01", "auto", 50.0), {"kind": "end", "round": 2, "load": 9.0}]
    whole = [dict(record, round=3) if "round" in record else record for record in journal({"q01": ways(1, 1, 2, 2)})]
    whole[1] = {"kind": "round", **asdict(Round(3, "append", 0.1, measured=True))}
    cut: Record = {"kind": "round", **asdict(Round(4, "append", 0.1, measured=True))}

    found = regime([*old, {"kind": "afresh"}, *unmeasured, *whole, cut, node(4, "q01", "auto", 70.0)])

    assert found["queries"][0]["ways"]["auto"]["rounds"] == [{"wall": 1, "cpu": 1}]


def test_the_highest_load_of_measured_rounds_is_stated() -> None:
    """Figures of a busy machine are to be read with care; what ran while nothing was measured did no harm."""
    warm: Record = {"kind": "round", **asdict(Round(2, "append", 0.1, measured=False))}
    records = [*journal({"q01": ways(1.0, 1.0, 2.0, 2.0)}), warm, {"kind": "end", "round": 2, "load": 9.0}]

    assert document(records)["load"] == 1.5
    assert document([])["load"] is None


def test_comparisons_that_failed_are_named() -> None:
    """Whoever reads figures learns whether the tables were right."""
    check = {"kind": "check", "round": 1, "query": "q01"}
    right, wrong = {**check, "variant": "auto", "differences": []}, {**check, "variant": "full", "differences": ["+ 1"]}

    checks = document([*journal({"q01": ways(1.0, 1.0, 2.0, 2.0)}), right, wrong])["checks"]

    assert checks == {"tables": 2, "differing": ["q01 full, round 1"]}


def test_the_document_is_json() -> None:
    """With what auto did and the last prices it compared."""
    records = journal({"q01": ways(1.0, 1.0, 2.0, 2.0)})
    records[2] = node(1, "q01", "auto", 1.0, response={"action": "INCREMENTAL", "strategy": "s", "prices": {"full": 2}})

    auto = json.loads(json.dumps(document(records)))["regimes"][0]["queries"][0]["ways"]["auto"]

    assert (auto["took"], auto["prices"]) == ("INCREMENTAL s", {"full": 2})
