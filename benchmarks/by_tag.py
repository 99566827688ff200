"""The share of a corpus that is maintained, and what that reads, by the operators of its queries.

    dbt-trickle explain tpcc.jsonl --schema schema.json > verdicts.txt
    python benchmarks/by_tag.py tpcc.jsonl verdicts.txt

Every line of the corpus is an object with `id` and `operators`, a list of tags with commas between them.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

_ANSWER = re.compile(r"^── (\S+)\nverdict: (\w+)\nclass: (.+)", re.MULTILINE)
CLASSES = ("by change", "by key", "whole")


def main(corpus: Path, verdicts: Path) -> None:
    answers = {name: (verdict, own) for name, verdict, own in _ANSWER.findall(verdicts.read_text("utf-8"))}
    counted: dict[str, Counter[str]] = {}
    for line in corpus.read_text("utf-8").splitlines():
        query = json.loads(line)
        for tag in query["operators"].split(","):
            counted.setdefault(tag, Counter()).update(("queries", *answers[query["id"]]))
    print(f"| operator | queries | incremental | {' | '.join(CLASSES)} |\n|---|---|---|{'---|' * len(CLASSES)}")
    for tag, counts in sorted(counted.items(), key=lambda item: (-item[1]["queries"], item[0])):
        total, maintained = counts["queries"], counts["incremental"]
        cells = [f"{total:,}", f"{maintained:,} ({maintained / total:.1%})", *(f"{counts[own]:,}" for own in CLASSES)]
        print(f"| {tag} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
