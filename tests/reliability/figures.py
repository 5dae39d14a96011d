"""Figures of a run, for people to read and for a page to be written from.

Each is one entry of a JSON file: name -> the figure, its unit, and a sentence that says what it is. A run that is told
so (KEEP_FIGURES=1) puts its own into the file and leaves the others as they are; every run prints them.
"""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path

FILE = Path(__file__).with_name("figures.json")


def tell(name: str, figure: float, unit: str, sentence: str) -> None:
    print(f"{sentence}: {figure:,} {unit}")
    if os.environ.get("KEEP_FIGURES"):
        kept = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
        kept[name] = {
            "figure": figure,
            "unit": unit,
            "sentence": sentence,
            "on": datetime.now(UTC).date().isoformat(),
            "machine": f"{platform.machine()}, Python {platform.python_version()}",
        }
        FILE.write_text(json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
