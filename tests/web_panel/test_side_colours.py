"""The contrast of the six colours of sides, light and dark, computed from the style sheets (WCAG 2.2)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web_panel

CSS = Path(web_panel.__file__).parent / "static/css"
SIDES = range(6)
DARK = "@media (prefers-color-scheme: dark)"
GRAPHICS = 3.0
"""The contrast that WCAG asks of shapes that carry a meaning; it asks 4.5 of text."""
TEXT = 4.5


def tokens(scheme: str) -> dict[str, str]:
    """The colour of each token. What the dark scheme does not name is as in the light one."""
    found = dict[str, str]()
    for name in ("tokens.css", "own_pegs.css"):
        light, _, dark = (CSS / name).read_text().partition(DARK)
        for text in (light, dark.partition("}\n}")[0] if scheme == "dark" else ""):
            found |= re.findall(r"--([\w-]+): (#[0-9a-f]{6});", text)
    return found


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, 0 to 1, as WCAG defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sign_of_each_side_stands_out_on_its_tile(scheme: str) -> None:
    colours = tokens(scheme)
    found = {side: contrast(colours[f"side-{side}"], colours["panel"]) for side in SIDES}
    print(scheme, {side: round(ratio, 1) for side, ratio in found.items()})
    assert min(found.values()) >= TEXT


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_peg_and_its_track_stand_out_from_their_own_edges(scheme: str) -> None:
    """A peg has a white edge and its track a light one, so that the wood may have any colour."""
    colours = tokens(scheme)
    edges = ("#ffffff", colours["track-edge"])
    assert min(contrast(colours[f"peg-{side}"], edge) for side in SIDES for edge in edges) >= GRAPHICS


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("wood", ["wood-light", "wood", "wood-dark"])
def test_the_figures_on_the_strip_can_be_read(scheme: str, wood: str) -> None:
    colours = tokens(scheme)
    assert contrast(colours["wood-ink"], colours[wood]) >= TEXT
