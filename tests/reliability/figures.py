"""The figures of the last run of each reliability command. `firmware_host/RELIABILITY.md` shows them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.figures import print_figures, read_json, write_json

FOLDER = Path(__file__).parent / "figures"


def publish(name: str, figures: Mapping[str, object], *, keep: bool) -> None:
    """Print the figures; with `keep`, also store them as those of the last run."""
    print_figures(name, figures)
    if keep:
        write_json(FOLDER, name, figures)


def stored(name: str) -> dict[str, object]:
    """The stored figures of the last run. Raises FileNotFoundError."""
    return read_json(FOLDER, name)
