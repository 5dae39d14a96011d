"""The figures of the last run of each reliability command, kept beside it: the page of promises is made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent / "figures"


def publish(name: str, figures: Mapping[str, object], *, keep: bool) -> None:
    """Print them; `keep` writes them down as those of the last run."""
    for figure, value in figures.items():
        print(f"{name}: {figure.replace('_', ' ')}: {value}")
    if keep:
        (FOLDER / f"{name}.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def kept(name: str) -> dict[str, object]:
    """Those of the last run."""
    figures = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(figures, dict)
    return figures
