"""Pictures of a board by KiCad's renderer, and its solid as a STEP file.

They show the bare board, because KiCad's library of solids is not needed for anything else and takes 5 GB.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from firmware_host.circuits.layout import BoardLayout
from hardware.pcb.kicad_cli import run_kicad

WIDTH_PX = 1800
_LEAST_HEIGHT_PX = 200
_GAP_PX = 12
_QUALITY = 60
_FILLED = 0.97


def export_step(settings: Path, board: Path) -> Path:
    """Writes the solid of a board beside it."""
    file = board.with_suffix(".step")
    run_kicad(settings, "pcb", "export", "step", "--force", "-o", str(file), str(board))
    return file


def render_sides(settings: Path, board: Path, layout: BoardLayout) -> Sequence[Path]:
    """Writes a picture of the upper and one of the lower side beside the board."""
    width = WIDTH_PX if layout.width_mm > layout.height_mm else WIDTH_PX // 2  # both sides fit beside each other
    height = max(_LEAST_HEIGHT_PX, round(width * layout.height_mm / layout.width_mm))
    zoom = 1.0
    files = []
    for side in ("top", "top", "bottom"):  # the first one only shows how far a slim board can be enlarged
        file = board.with_name(f"{board.stem}-{side}.png")
        size = ("-w", str(width), "--height", str(height), "--zoom", f"{zoom:.3f}")
        run_kicad(
            settings, "pcb", "render", "--side", side, *size, "--background", "transparent", "-o", str(file), str(board)
        )
        if zoom == 1.0:
            with Image.open(file) as seen:
                left, top, right, bottom = seen.getchannel("A").getbbox() or (0, 0, *seen.size)
                zoom = _FILLED / max((right - left) / seen.width, (bottom - top) / seen.height)
        else:
            files.append(file)
    return files


def small_picture(sides: Sequence[Path], file: Path) -> None:
    """Both sides on white without their margins, one below or beside the other, as a WebP."""
    pictures = [_on_white(side) for side in sides]
    wide = max(one.width for one in pictures)
    high = max(one.height for one in pictures)
    across, down = (0, high + _GAP_PX) if wide > high else (wide + _GAP_PX, 0)
    whole = Image.new("RGB", (wide + across, high + down), "white")
    for number, one in enumerate(pictures):
        whole.paste(one, (number * across, number * down))
    whole.thumbnail((WIDTH_PX, WIDTH_PX))
    whole.save(file, "WEBP", quality=_QUALITY, method=6)


def _on_white(side: Path) -> Image.Image:
    with Image.open(side) as seen:
        clear = seen.convert("RGBA")
    board = Image.new("RGBA", clear.size, "white")
    board.alpha_composite(clear)
    return board.crop(clear.getchannel("A").getbbox()).convert("RGB")
