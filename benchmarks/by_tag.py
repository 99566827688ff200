"""How much of a corpus is maintained, by what its queries use.

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

_VERDICT = re.compile(r"^── (\S+)\nverdict: (\w+)", re.MULTILINE)


def main(corpus: Path, verdicts: Path) -> None:
    told = dict(_VERDICT.findall(verdicts.read_text("utf-8")))
    every: Counter[str] = Counter()
    maintained: Counter[str] = Counter()
    for line in corpus.read_text("utf-8").splitlines():
        query = json.loads(line)
        for tag in query["operators"].split(","):
            every[tag] += 1
            maintained[tag] += told[query["id"]] == "incremental"
    print("| operator | queries | incremental |\n|---|---|---|")
    for tag, count in sorted(every.items(), key=lambda one: (-one[1], one[0])):
        print(f"| {tag} | {count:,} | {maintained[tag]:,} ({maintained[tag] / count:.1%}) |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
