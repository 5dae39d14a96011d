"""Files of the folder `hardware` that the program reads: board plans, pins, measures, prices, boot lines."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def hardware_file(*names: str) -> Path:
    """A file or folder of `hardware`, by the names of its path.

    An installed wheel has the folder in this package; a checkout, and an installation that is editable, beside it.
    """
    folder = _PACKAGE / "hardware"
    return (folder if folder.is_dir() else _PACKAGE.parent / "hardware").joinpath(*names)
