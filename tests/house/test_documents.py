"""The documents are complete, and what the code writes into them is what the code says now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dbt.adapters.trickle.options.keys import KEYS
from dbt.adapters.trickle.profile.credentials import TrickleCredentials
from tests.documents.blocks import included
from tests.documents.operators import INTERNAL, PAGES, ROOT, how, operator_names, page, title
from tests.documents.pages import written
from tests.documents.reason_examples import EXAMPLES, WITHOUT_EXAMPLE
from tests.documents.reasons import ACTIONS, ADAPTER, met_reasons
from tests.snapshots.catalogue import SNAPSHOTS
from trickle.reasons import CATALOGUE, RECOMPUTE, REFRESH

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
OF_USERS = [file for file in DOCUMENTS if file.name not in ("CHANGELOG.md", "ARCHITECTURE.md", "reasons.md")]
"""Pages whose words are written by hand: messages are a promise, and history stays as it was told."""
PRIVATE = re.compile(r"\b(?:hangs? on|vouch\w*|made apart|stands upon|goes by|puts? up|put up|is told|are told)\b")
ANCHOR = re.compile(r"\]\(([^)#\s]*)#([^)]+)\)")
PARTS = ["Rule", "State", "Cost", "When it recomputes"]
"""What every page of an operator says, as headings or as the first words of a paragraph."""
ADAPTER_REASON = re.compile(r"Reason\(\s*\"(\w+)\"")


def test_every_operator_has_a_page_and_every_page_an_operator() -> None:
    """A file in engine/trickle/operators is described in docs/operators under its own name."""
    assert {file.stem for file in PAGES.glob("*.md")} == set(operator_names())


@pytest.mark.parametrize("name", operator_names())
def test_a_page_says_how_and_shows_its_own_sql(name: str) -> None:
    """Each page has the rule, the state, the cost, when it recomputes, and SQL of its own snapshots."""
    text = page(name)

    assert title(text)
    assert how(text).endswith(".")
    assert [part for part in PARTS if not re.search(rf"^(## {part}$|\*\*{part}\.\*\*)", text, re.MULTILINE)] == []
    assert any(shown.startswith(f"{name}/") for shown in included(text)), f"no snapshot of {name} is shown"


def test_every_snapshot_of_an_operator_is_for_an_operator() -> None:
    """The snapshots' folders are the operators and `apply`, and every operator has at least one."""
    assert {name.partition("/")[0] for name in SNAPSHOTS} == {*operator_names(), "apply"}


def test_the_generated_parts_are_fresh() -> None:
    """What `python -m tests.documents` would write is already there."""
    stale = [str(file.relative_to(ROOT)) for file, text in written().items() if _text(file) != text]

    assert not stale, "run: python -m tests.documents"


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_reason_is_explained(code: str) -> None:
    """A code a user can meet has its entry in docs/reasons.md, and its action or its example beside it."""
    text = _text(ROOT / "docs" / "reasons.md")

    assert f"### {code}\n" in text or f"| `{code}` |" in text
    assert code in ACTIONS or code in EXAMPLES or code in WITHOUT_EXAMPLE


def test_the_adapters_own_reasons_are_explained() -> None:
    """Reasons the adapter gives by itself are in the list of docs/reasons.md, and no others are."""
    files = (ROOT / "dbt" / "adapters" / "trickle").rglob("*.py")
    given = {code for file in files for code in ADAPTER_REASON.findall(_text(file))}

    assert given == set(ADAPTER)


def test_the_lists_beside_the_catalogue_hold_nothing_else() -> None:
    """Actions are of reasons to refresh, examples of reasons to recompute."""
    assert set(ACTIONS) == set(REFRESH)
    assert set(EXAMPLES) | WITHOUT_EXAMPLE == set(RECOMPUTE)


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_meets_its_reason(code: str) -> None:
    """explain gives the reason for the query that docs/reasons.md shows under it."""
    assert code in {reason.code for reason in met_reasons(EXAMPLES[code])}


@pytest.mark.parametrize("key", KEYS)
def test_every_config_key_is_documented(key: str) -> None:
    """A key the adapter reads has a section in docs/configuration.md."""
    assert f"### {key}\n" in _text(ROOT / "docs" / "configuration.md")


def test_no_config_key_is_made_up() -> None:
    """docs/configuration.md has no section for a key the adapter does not know."""
    assert set(re.findall(r"^### (\w+)$", _text(ROOT / "docs" / "configuration.md"), re.MULTILINE)) <= set(KEYS)


def test_every_profile_key_is_documented() -> None:
    """A key of the profile that is ours, and not dbt-spark's, is in docs/warehouse.md."""
    own = TrickleCredentials.__annotations__

    assert not [key for key in own if key != "host" and f"`{key}`" not in _text(ROOT / "docs" / "warehouse.md")]


def test_internal_pages_say_so() -> None:
    """An operator that only refreshes contain says so, which keeps it out of the table of docs/maintained.md."""
    internal = {name for name in operator_names() if INTERNAL in page(name)}

    assert internal == {
        "accumulate", "clock_delta", "consolidate", "empty", "lookup", "negate", "restrict", "stored",
        "stored_recursion", "touched_keys", "within",
    }  # fmt: skip


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    """A relative link names a file that is there."""
    broken = [link for link in LINK.findall(_text(document)) if not (document.parent / link).exists()]

    assert not broken


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_to_headings_lead_somewhere(document: Path) -> None:
    """The part of a link after # is a heading of the page it names."""
    links = [(link, anchor) for link, anchor in ANCHOR.findall(_text(document)) if not link.startswith("http")]
    pages = [(document.parent / link if link else document, anchor) for link, anchor in links]
    broken = [f"{page}#{anchor}" for page, anchor in pages if anchor not in _anchors(page)]

    assert not broken


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_words_are_plain(document: Path) -> None:
    """'Just' and 'simply' tell readers that they are slow."""
    words = re.findall(r"\b(simply|just)\b", _text(document), re.IGNORECASE)

    assert not words


@pytest.mark.parametrize("document", OF_USERS, ids=lambda file: str(file.relative_to(ROOT)))
def test_words_are_those_of_the_trade(document: Path) -> None:
    """A page for users has none of the phrases that once stood for a plain verb."""
    assert not PRIVATE.findall(_text(document))


def _anchors(page: Path) -> set[str]:
    """The names that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", _text(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def _text(file: Path) -> str:
    return file.read_text("utf-8") if file.is_file() else ""
