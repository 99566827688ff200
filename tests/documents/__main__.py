"""`python -m tests.documents` writes the generated parts of the documents anew; snapshots must be right before."""

from __future__ import annotations

from tests.documents.operators import ROOT
from tests.documents.pages import written


def main() -> None:
    for file, text in written().items():
        if not file.is_file() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
            print(f"wrote {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
