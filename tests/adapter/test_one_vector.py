"""Every stream table of a run reflects one vector, or says for which other, and why: the real decision, no Spark."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt_common.exceptions import DbtRuntimeError

from tests.adapter.lake import Lake
from tests.adapter.log_builder import metadata
from trickle import Action, step_sql

S = "SELECT a, b FROM s.r WHERE a > 0"
JOINED = "SELECT l.a, x.b FROM s.m AS l JOIN s.r AS x ON l.a = x.a"
BOTH = "SELECT l.a, x.b FROM s.m AS l JOIN s.n AS x ON l.a = x.a"
N = "SELECT a, b FROM s.r WHERE a < 0"


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """One base table `r` at version 1."""
    found = Lake(tmp_path)
    found.table("r")
    return found


def test_commits_between_two_nodes_are_not_seen(lake: Lake) -> None:
    """The first node pins; what is written to the source afterwards belongs to the next run."""
    first = lake.refresh("m", S, "run-1")
    lake.append("r")
    second = lake.refresh("d", JOINED, "run-1")
    third = lake.decide("d", JOINED, "run-2")

    assert lake.vector(first) == lake.vector(second) == {"r": 1}
    assert lake.versions(second) == {"m": 0, "r": 1}
    assert second.reading.notes == ()
    assert lake.vector(third) == {"r": 1}, "m was not refreshed by run-2"


def test_an_upstream_that_was_not_selected_holds_its_base_table(lake: Lake) -> None:
    """D reads B and S on B: with S left out, B is read where S stands, and the reason names S."""
    lake.refresh("m", S, "run-1")
    lake.append("r")

    decision = lake.refresh("d", JOINED, "run-2")

    assert lake.versions(decision) == {"m": 0, "r": 1}
    assert decision.plan.action is Action.FULL
    (note,) = decision.reading.notes
    assert note.code == "held_back"
    assert "s.r is read at version 1, because s.m reflects version 1 of s.r" in note.message


def test_a_table_that_is_held_back_entirely_says_why_nothing_was_done(lake: Lake) -> None:
    """NO_DATA while something newer waits is not 'no source changed'."""
    lake.refresh("m", S, "run-1")
    lake.refresh("d", JOINED, "run-1")
    lake.append("r")

    waiting = lake.refresh("d", JOINED, "run-2")
    lake.refresh("m", S, "run-3")
    caught_up = lake.refresh("d", JOINED, "run-3")

    assert (waiting.plan.action, waiting.plan.reason.code) == (Action.NO_DATA, "held_back")
    assert lake.vector(caught_up) == {"r": 2}
    assert caught_up.plan.action is not Action.NO_DATA


def test_the_newest_common_refresh_is_found_in_the_past(lake: Lake) -> None:
    """Of two upstreams one has gone on: the other's last stand is found among its earlier refreshes."""
    lake.refresh("m", S, "run-1")
    lake.refresh("n", N, "run-1")
    lake.append("r")
    lake.refresh("n", N, "run-2")

    decision = lake.refresh("d", BOTH, "run-3")

    assert lake.versions(decision) == {"m": 0, "n": 0}
    assert lake.vector(decision) == {"r": 1}
    assert "s.n is read at version 0, because s.m reflects version 1 of s.r" in decision.reading.notes[0].message


def test_upstreams_that_never_met_are_read_as_they_are_and_named(lake: Lake) -> None:
    """Built in different runs, they have no version in common: the first build goes on and says so."""
    lake.refresh("m", S, "run-1")
    lake.append("r")
    lake.refresh("n", N, "run-2")

    built = lake.refresh("d", BOTH, "run-3")
    lake.refresh("m", S, "run-4")
    lake.refresh("n", N, "run-4")
    together = lake.refresh("d", BOTH, "run-4")

    (note,) = built.reading.notes
    assert note.code == "inputs_disagree"
    assert built.reading.mixed == {"s.r"}
    assert lake.vector(built) == {}
    assert (together.reading.notes, lake.vector(together)) == ((), {"r": 2})


def test_what_reads_a_mixture_names_it(lake: Lake) -> None:
    """A table over a mixed one inherits the mixture and says where it comes from."""
    lake.refresh("m", S, "run-1")
    lake.append("r")
    lake.refresh("n", N, "run-2")
    lake.refresh("d", BOTH, "run-3")

    above = lake.refresh("e", "SELECT a, b FROM s.d", "run-4")

    (note,) = above.reading.notes
    assert (note.code, above.reading.mixed) == ("inputs_disagree", {"s.r"})
    assert "s.d does not reflect a single version of s.r" in note.message


def test_maintenance_moves_nobody(lake: Lake) -> None:
    """OPTIMIZE of a source or of a storage leaves the same rows: everything still fits."""
    lake.refresh("m", S, "run-1")
    lake.optimize("r")
    lake.optimize("m__trickle")

    decision = lake.refresh("d", JOINED, "run-2")

    assert decision.reading.notes == ()
    assert lake.versions(decision) == {"m": 1, "r": 2}


def test_a_refresh_that_changed_no_row_carries_its_readers_along(lake: Lake) -> None:
    """m went from r@1 to r@2 by an empty commit; k, which reads m, had nothing to do and reflects r@2 as well."""
    lake.refresh("m", S, "run-1")
    lake.refresh("k", "SELECT a, b FROM s.m", "run-1")
    lake.append("r")
    moved = lake.decide("m", S, "run-2")
    lake.commit("m", moved, changes_rows=False)
    lake.tell("m", moved)
    quiet = lake.refresh("k", "SELECT a, b FROM s.m", "run-2")

    same_run = lake.refresh("d", "SELECT l.a, x.b FROM s.k AS l JOIN s.r AS x ON l.a = x.a", "run-2")
    later_run = lake.refresh("e", "SELECT l.a, x.b FROM s.k AS l JOIN s.r AS x ON l.a = x.a", "run-3")

    assert quiet.plan.action is Action.NO_DATA
    assert lake.vector(quiet) == lake.vector(same_run) == lake.vector(later_run) == {"r": 2}
    assert same_run.reading.notes == later_run.reading.notes == ()


def test_never_back_behind_its_own_last_refresh(lake: Lake) -> None:
    """d reflects r@2, m's storage only says r@1: rather than going back or mixing, d stays, and says why."""
    lake.refresh("m", S, "run-1")
    lake.append("r")
    lake.tell("m", lake.decide("m", S, "run-2"))
    lake.refresh("d", JOINED, "run-2")
    lake.append("r")

    decision = lake.refresh("d", JOINED, "run-3")

    assert (decision.plan.action, decision.plan.reason.code) == (Action.NO_DATA, "held_back")
    assert "stays as it is" in decision.plan.reason.message
    assert lake.vector(decision) == {"r": 2}


def test_an_upstream_whose_storage_was_put_back(lake: Lake) -> None:
    """Files of an old backup: what d was made from is gone, nothing fits, and that is said."""
    lake.refresh("m", S, "run-1")
    lake.append("r")
    lake.refresh("m", S, "run-2")
    lake.refresh("d", JOINED, "run-2")
    storage = lake.tables["m__trickle"]
    (storage.log / f"{1:020d}.json").unlink()

    decision = lake.decide("d", JOINED, "run-3")

    assert [note.code for note in decision.reading.notes] == ["inputs_disagree"]


def test_a_version_whose_files_are_gone_is_refused_in_a_sentence(lake: Lake) -> None:
    """m holds r at a version that VACUUM has taken files from: Spark would fail on a path."""
    lake.refresh("m", S, "run-1")
    lake.update("r")
    lake.tables["r"].vacuum("f1")

    with pytest.raises(DbtRuntimeError, match=r"s.r is to be read at version 1, from which VACUUM has removed f1.*s.m"):
        lake.decide("d", JOINED, "run-2")


def test_what_stays_where_it_is_needs_no_files(lake: Lake) -> None:
    """d is held back entirely: nothing is read, so nothing is missed."""
    lake.refresh("m", S, "run-1")
    lake.refresh("d", JOINED, "run-1")
    lake.update("r")
    lake.tables["r"].vacuum("f1")

    assert lake.decide("d", JOINED, "run-2").plan.reason.code == "held_back"


def test_a_source_dropped_and_created_again_in_the_middle(lake: Lake) -> None:
    """The pinned version is gone: the new table is read, and the reader says that earlier ones did not see it."""
    lake.refresh("m", S, "run-1")
    for file in (lake.tables["r"].log).iterdir():
        file.unlink()
    del lake.tables["r"]
    lake.clock += 60_000
    lake.table("r", table_id="two")

    decision = lake.refresh("d", JOINED, "run-1")

    assert [note.code for note in decision.reading.notes] == ["pin_lost", "inputs_disagree"]
    assert "another table called s.r" in decision.reading.notes[1].message


def test_columns_added_in_the_middle_are_not_seen_either(lake: Lake) -> None:
    """The second reader compiles against the columns of the pinned version, and asks Spark about that version."""
    lake.refresh("m", S, "run-1")
    star = "SELECT * FROM s.r"
    lake.analyst.of[star] = (("a", "int"), ("b", "string"), ("c", "int"))
    fields = (("a", "integer"), ("b", "string"), ("c", "integer"))
    lake.tables["r"].commit("ADD COLUMNS", metadata(fields=fields))

    same_run = lake.refresh("d", star, "run-1")
    next_run = lake.decide("d", star, "run-2")

    assert lake.versions(same_run) == {"r": 1}
    assert same_run.plan.reason.code == "first_build"
    assert "`c`" not in step_sql(same_run.plan.writes[0])
    assert next_run.plan.reason.code == "definition_changed"


def test_what_a_stamp_keeps(lake: Lake) -> None:
    """The vector with identities, and the commit time of its newest version as data timestamp, storages aside."""
    lake.refresh("m", S, "run-1")
    written = lake.clock
    decision = lake.refresh("d", "SELECT a, b FROM s.m", "run-1")

    stamp = lake.stamp("d")

    assert stamp.extra["vector"] == {"s.r": ["one", 1, lake.tables["r"].clock]}
    assert stamp.data_timestamp < written
    assert decision.reading.versions == {"s.r": 1}


def test_an_older_stamp_without_a_vector_is_worked_out(lake: Lake) -> None:
    """Tables refreshed before stamps had vectors say what they read, and that is enough."""
    decision = lake.decide("m", S, "run-1")
    assert decision.stamp is not None
    del decision.stamp.extra["vector"]  # type: ignore[attr-defined]
    lake.commit("m", decision)
    lake.append("r")

    later = lake.refresh("d", JOINED, "run-2")

    assert lake.vector(later) == {"r": 1}


def test_pins_of_ended_invocations_are_let_go(lake: Lake) -> None:
    """A process that runs dbt again and again remembers the last few runs and no more."""
    lake.refresh("m", S, "run-0")
    lake.append("r")
    for run in range(1, 6):
        lake.invocations.of(f"run-{run}")

    assert lake.vector(lake.decide("m", S, "run-0")) == {"r": 2}
