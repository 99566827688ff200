"""The share of a corpus that is maintained, by the operators of its queries.

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
    verdict_of = dict(_VERDICT.findall(verdicts.read_text("utf-8")))
    total: Counter[str] = Counter()
    maintained: Counter[str] = Counter()
    for line in corpus.read_text("utf-8").splitlines():
        query = json.loads(line)
        for tag in query["operators"].split(","):
            total[tag] += 1
            maintained[tag] += verdict_of[query["id"]] == "incremental"
    print("| operator | queries | incremental |\n|---|---|---|")
    for tag, count in sorted(total.items(), key=lambda item: (-item[1], item[0])):
        print(f"| {tag} | {count:,} | {maintained[tag]:,} ({maintained[tag] / count:.1%}) |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
