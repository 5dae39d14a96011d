"""The colours of the lights, as colour-blind people see them.

Dichromacy is simulated by the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based Model for
Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15 (2009), table for
severity 1.0, on linear light. Differences are CIE 1976 Delta E in L*a*b* with the white point D65. The light of an LED
grows linearly with its value, the colour on a screen by the sRGB curve: both are tested.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from itertools import combinations
from math import dist

import pytest

from firmware_host.board.course import Hole
from firmware_host.config.board_plans import load_plan
from firmware_host.ui.lights.colours import LightColours
from firmware_host.ui.lights.lights import HoleSignal, Signal, light_frame

needs_colorspacious = pytest.mark.skipif(
    importlib.util.find_spec("colorspacious") is None, reason="nobody checks our colours: pip install colorspacious"
)
Vector = tuple[float, ...]

SIGHTS: dict[str, tuple[Vector, Vector, Vector]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
D65 = (0.9505, 1.0, 1.089)
CLEARLY_DIFFERENT = 50.0
"""Delta E. 2 is just noticeable side by side; small lights are apart, and seen one after the other."""


def times(matrix: Sequence[Vector], vector: Vector) -> Vector:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def of_led(value: int) -> float:
    return value / 255


def of_screen(value: int) -> float:
    part = value / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def lab(linear: Vector) -> Vector:
    def curve(part: float) -> float:
        return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116

    within = tuple(min(1.0, max(0.0, part)) for part in linear)
    x, y, z = (curve(part / white) for part, white in zip(times(TO_XYZ, within), D65, strict=True))
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def least_difference(colours: Sequence[str], sight: str, light: Callable[[int], float]) -> float:
    """The smallest difference between two of the colours, in Delta E."""
    seen = [lab(times(SIGHTS[sight], tuple(map(light, bytes.fromhex(colour[1:]))))) for colour in colours]
    return min(dist(one, other) for one, other in combinations(seen, 2))


def colours_of(choice: LightColours) -> list[str]:
    tracks = load_plan("continuous-121-4").track_info
    return [choice.of_track(track, info.colour) for track, info in enumerate(tracks)]


@pytest.mark.parametrize("light", [of_led, of_screen])
@pytest.mark.parametrize("sight", SIGHTS)
def test_all_four_colours_differ_in_every_kind_of_sight(sight: str, light: Callable[[int], float]) -> None:
    assert least_difference(colours_of(LightColours.COLOUR_BLIND), sight, light) > CLEARLY_DIFFERENT


@pytest.mark.parametrize("sight", ["protanopia", "deuteranopia", "tritanopia"])
def test_the_colours_of_the_tracks_differ_much_less(sight: str) -> None:
    """Otherwise the other colours would not be needed."""
    assert least_difference(colours_of(LightColours.BOARD), sight, of_screen) < CLEARLY_DIFFERENT


def test_grey_stays_grey_and_white_is_white() -> None:
    """Each row of a matrix adds up to 1: the figures were copied without a slip."""
    for matrix in SIGHTS.values():
        assert times(matrix, (1.0, 1.0, 1.0)) == pytest.approx((1, 1, 1), abs=2e-6)
    assert lab((1.0, 1.0, 1.0)) == pytest.approx((100, 0, 0), abs=0.1)


@pytest.mark.slow
@needs_colorspacious
@pytest.mark.parametrize(
    ("sight", "name"), [("protanopia", "protanomaly"), ("deuteranopia", "deuteranomaly"), ("tritanopia", "tritanomaly")]
)
def test_an_independent_simulation_agrees(sight: str, name: str) -> None:
    """colorspacious has the same paper's matrices, and an implementation of L*a*b* of its own."""
    other = importlib.import_module("colorspacious")
    matrix = other.machado_et_al_2009_matrix(name, 100)
    assert [*map(tuple, matrix.tolist())] == [pytest.approx(row, abs=1e-6) for row in SIGHTS[sight]]
    colours = colours_of(LightColours.COLOUR_BLIND)
    seen = [
        other.cspace_convert([value / 255 for value in bytes.fromhex(colour[1:])], "sRGB1", "sRGB1-linear") @ matrix.T
        for colour in colours
    ]
    labs = [other.cspace_convert(each.clip(0, 1), "sRGB1-linear", "CIELab") for each in seen]
    least = min(dist(one, another) for one, another in combinations(labs, 2))
    assert least == pytest.approx(least_difference(colours, sight, of_screen), abs=1.0)
    assert least > CLEARLY_DIFFERENT


def test_the_chosen_colours_are_on_the_lights() -> None:
    plan = load_plan("classic-61")
    shown = [HoleSignal(track, Hole(10), Signal.TEST) for track in (0, 1)]
    leds = [plan.at(track, Hole(10)).led for track in (0, 1)]
    frame = light_frame(shown, plan, 0.0, colours=LightColours.COLOUR_BLIND)
    assert [frame[led] for led in leds] == [(0xBE, 0, 0), (0, 0, 0xBE)]
    frame = light_frame(shown, plan, 0.0)
    assert [frame[led] for led in leds] == [tuple(bytes.fromhex(info.colour[1:])) for info in plan.track_info]
