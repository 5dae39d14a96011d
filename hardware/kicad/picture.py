"""Pictures of the boards for the pages of makers: python -m hardware.kicad.picture

Needs KiCad 9, as `make` does. They show both sides of the bare board, the upper one above.
"""

from __future__ import annotations

import sys
from pathlib import Path

from firmware_host.config.board_plans import load_plan
from hardware.kicad.controller import HERE
from hardware.kicad.layouts import BOARDS, layout_of
from hardware.pcb.pictures import render_sides, small_picture


def draw(board: str, settings: Path) -> Path:
    """Draws the board of a plan beside its project."""
    file = HERE / board / f"{board}.kicad_pcb"
    sides = render_sides(settings, file, layout_of(load_plan(board)))
    picture = HERE / f"{board}.webp"
    small_picture(sides, picture)
    for side in sides:
        side.unlink()
    return picture


def main() -> int:
    """Draws every board that has a project."""
    for board in BOARDS:
        print(draw(board, HERE.parent / "build" / "kicad"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
