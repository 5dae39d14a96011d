"""Measured figures, kept as JSON files; generated pages of the documentation show them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


def print_figures(name: str, figures: Mapping[str, object]) -> None:
    """Print one line per figure, with spaces for the underscores of its key."""
    for figure, value in figures.items():
        print(f"{name}: {figure.replace('_', ' ')}: {value}")


def write_json(folder: Path, name: str, content: Mapping[str, object]) -> None:
    """Replace `folder/name.json`. The folder is made if it does not exist."""
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def read_json(folder: Path, name: str) -> dict[str, object]:
    """The object in `folder/name.json`. Raises FileNotFoundError."""
    content = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content
