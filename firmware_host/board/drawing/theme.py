"""The CSS of a drawn board: colours of wood, veneer and labels, for the light and the dark colour scheme.

Every colour is a custom property of `.cribbage-board`, so that a page can replace it.
"""

from __future__ import annotations

import re

from firmware_host.board.plan import BoardPlan

_MAPLE = {
    "wood-light": "#efd3a2",
    "wood": "#e2bb80",
    "wood-deep": "#cf9f60",
    "grain": "#8a5a2b",
    "rim": "#5b3720",
    "string": "#f6e7c8",
    "ink": "#4a2d18",
    "skunk": "#7d1f1a",
    "well": "#1d120b",
    "chamfer": "#fbeed2",
    "resin": "#fff8e6",
}
_WALNUT = {
    "wood-light": "#6d4a33",
    "wood": "#593a27",
    "wood-deep": "#452b1c",
    "grain": "#20120a",
    "rim": "#1f140d",
    "string": "#d9bd8d",
    "ink": "#f0dfc0",
    "skunk": "#ffb3a1",
    "well": "#0b0705",
    "chamfer": "#9a7350",
    "resin": "#a08a68",
}

TEXT_MM = 3.3
TITLE_MM = 6.0
"""Font sizes of the labels and of the title; some labels on pages differ by a tenth."""

_VARIABLE = re.compile(r"([\w-]+):var\(--([\w-]+)\)")
_RULES = """
.cribbage-board .tone-light{stop-color:var(--wood-light)}
.cribbage-board .tone{stop-color:var(--wood)}
.cribbage-board .tone-deep{stop-color:var(--wood-deep)}
.cribbage-board .grain{fill:none;stroke:var(--grain);stroke-linecap:round}
.cribbage-board .grain-0{stroke-width:.9;opacity:.07}
.cribbage-board .grain-1{stroke-width:.5;opacity:.12}
.cribbage-board .grain-2{stroke-width:.25;opacity:.24}
.cribbage-board .rim{fill:none;stroke:var(--rim);stroke-width:2.6}
.cribbage-board .string{fill:none;stroke:var(--string);stroke-width:.45}
.cribbage-board .street{fill:none;stroke:var(--ink);stroke-width:.25;opacity:.55}
.cribbage-board .veneer{fill:none;stroke:var(--string);stroke-width:1.6;stroke-linejoin:round;opacity:.85}
.cribbage-board .inlay{fill:none;stroke-width:.9;stroke-linejoin:round}
.cribbage-board .skunk{fill:none;stroke:var(--skunk);stroke-width:.7}
.cribbage-board text{fill:var(--ink);font:3.3px Georgia,serif;text-anchor:middle;dominant-baseline:central}
.cribbage-board .name{font-size:3.2px;font-variant:small-caps;letter-spacing:.25px}
.cribbage-board .end{text-anchor:end}
.cribbage-board .skunk-name{font-size:3.5px;font-style:italic;fill:var(--skunk)}
.cribbage-board .title{font-size:6px;letter-spacing:1px;font-variant:small-caps}
.cribbage-board .star-light{fill:var(--string)}
.cribbage-board .star-deep{fill:var(--rim)}
.cribbage-board .well{fill:var(--well);stroke:var(--chamfer);stroke-width:.45}
.cribbage-board .light{fill:var(--resin);stroke:var(--ink);stroke-width:.18;stroke-opacity:.5}
"""


def stylesheet(plan: BoardPlan) -> str:
    """The CSS for the drawing of this board, inside the drawing or served by the page around it."""
    tracks = "".join(
        f".cribbage-board .track-{track}{{stroke:{info.colour}}}\n" for track, info in enumerate(plan.track_info)
    )
    dark = f"@media(prefers-color-scheme:dark){{{_variables(_WALNUT)}}}"
    return f"{_variables(_MAPLE)}\n{dark}{_RULES}{tracks}"


def with_colour_fallbacks(drawing: str) -> str:
    """A styled drawing with each colour also given literally, for programs that do not know CSS variables.

    The literal colours are those of the light scheme.
    """
    return _VARIABLE.sub(lambda rule: f"{rule[1]}:{_MAPLE[rule[2]]};{rule[0]}", drawing)


def _variables(wood: dict[str, str]) -> str:
    return f".cribbage-board{{{';'.join(f'--{part}:{colour}' for part, colour in wood.items())}}}"
