"""The drawing of a board in landscape and portrait: every hole where the plan has it, everything on the plate."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from firmware_host.board.course import Hole
from firmware_host.board.drawing.drawing import draw
from firmware_host.board.drawing.labels import names, numbers
from firmware_host.board.drawing.projection import Projection
from firmware_host.board.drawing.theme import stylesheet
from firmware_host.board.drawing.track_lines import track_line
from firmware_host.board.plan import BoardPlan, UnsupportedTarget
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.config.languages import LANGUAGES, translator

ChangePlan = Callable[..., BoardPlan]
SVG = "{http://www.w3.org/2000/svg}"
PLANS = [pytest.param(load_plan(board), id=board) for board in plan_ids()]
CLASSIC = load_plan("classic-61")


def elements(drawing: str, tag: str, css_class: str) -> Iterator[ElementTree.Element]:
    for element in ElementTree.fromstring(drawing).iter(SVG + tag):
        if css_class in element.get("class", "").split():
            yield element


def labels(drawing: str, css_class: str) -> list[str | None]:
    return [element.text for element in elements(drawing, "text", css_class)]


def circles(group: ElementTree.Element) -> list[tuple[str, float, float]]:
    return [(one.attrib["class"], float(one.attrib["cx"]), float(one.attrib["cy"])) for one in group]


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("portrait", [False, True])
def test_every_hole_is_one_element_where_the_plan_has_it(plan: BoardPlan, portrait: bool) -> None:
    groups = {group.attrib["id"]: group for group in elements(draw(plan, portrait=portrait), "g", "hole")}
    assert len(groups) == plan.sensor_count

    def seen(x_mm: float, y_mm: float) -> tuple[float, float]:
        wide, high = plan.plate.width_mm, plan.plate.height_mm
        return (high - y_mm, wide - x_mm) if portrait else (x_mm, high - y_mm)

    for hole in plan.holes:
        group = groups[f"h-{hole.sensor}"]
        attributes = {key: group.attrib[f"data-{key}"] for key in ("sensor", "led", "track", "hole")}
        track = "shared" if hole.track is None else str(hole.track)
        assert attributes == {"sensor": f"{hole.sensor}", "led": f"{hole.led}", "track": track, "hole": f"{hole.hole}"}
        (well, *well_at), (light, *light_at) = circles(group)
        assert (well, light) == ("well", "light")
        assert well_at == pytest.approx(seen(hole.x_mm, hole.y_mm), abs=0.006)
        assert light_at == pytest.approx(seen(hole.led_x_mm, hole.led_y_mm), abs=0.006)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("portrait", [False, True])
def test_everything_is_drawn_within_the_border_of_the_plate(plan: BoardPlan, portrait: bool) -> None:
    drawing = ElementTree.fromstring(draw(plan, 121, portrait=portrait))
    _, _, wide, high = map(float, drawing.attrib["viewBox"].split())
    for element in drawing.iter():
        css_class = element.get("class", "")
        if element.tag == SVG + "path" and "grain" not in css_class:
            measures = [float(found) for found in re.findall(r"-?\d+\.?\d*", element.attrib["d"])]
            assert min(measures) >= 3.4, css_class
            assert max(measures[::2]) <= wide - 3.4 and max(measures[1::2]) <= high - 3.4, css_class
        if element.tag == SVG + "text":
            assert 4 < float(element.attrib["x"]) < wide - 4 and 4 < float(element.attrib["y"]) < high - 4


@pytest.mark.parametrize("plan", PLANS)
def test_every_fifth_hole_has_an_upright_number(plan: BoardPlan) -> None:
    for portrait in (False, True):
        drawing = draw(plan, portrait=portrait)
        counted = Counter(labels(drawing, "number"))
        fives = {str(number) for number in range(5, plan.lap + 1, 5)}
        assert set(counted) == fives
        assert len(set(counted.values())) == 1, "each number appears as often as any other"
        assert all("transform" not in number.attrib for number in elements(drawing, "text", "number"))


@pytest.mark.parametrize("plan", PLANS)
def test_no_label_covers_a_hole(plan: BoardPlan) -> None:
    drawing = draw(plan, 121)
    drilled = [circle[1:] for group in elements(drawing, "g", "hole") for circle in circles(group)]
    for css_class in ("number", "name", "skunk-name", "title"):
        for label in elements(drawing, "text", css_class):
            x, y = float(label.attrib["x"]), float(label.attrib["y"])
            assert all((x - hole_x) ** 2 + (y - hole_y) ** 2 > 4.0**2 for hole_x, hole_y in drilled), label.text


@pytest.mark.parametrize("plan", PLANS)
def test_start_and_game_holes_have_labels(plan: BoardPlan) -> None:
    drawing = draw(plan)
    assert labels(drawing, "name") == [*(f"{info.name} start" for info in plan.track_info), "game"]
    assert len([*elements(drawing, "path", "inlay")]) == plan.tracks
    assert labels(drawing, "title") == [plan.title]


LETTER_MM = 1.5
"""Width of a letter of a name, with its spacing; measured on a page in Polish."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_start_holes_do_not_run_into_the_name_of_the_game_hole(language: str) -> None:
    *starts, game = names(load_plan("classic-61"), translator(language))
    for start in starts:
        room_mm = abs(start.place[1] - game.place[1]) - LETTER_MM * (len(start.text) + len(game.text)) / 2
        assert start.is_turned and room_mm > LETTER_MM, (start, game)


@pytest.mark.parametrize(
    ("board", "target", "lines"),
    [
        ("classic-61", 61, ["lurch", "lurch"]),
        ("classic-61", 121, ["skunk", "skunk", "double skunk", "double skunk"]),
        ("classic-61", 181, ["lurch", "lurch"]),
        ("continuous-121-3", 61, ["lurch"]),
        ("continuous-121-3", 121, ["skunk", "double skunk"]),
        ("continuous-121-3", None, []),
    ],
)
def test_skunk_lines_follow_the_target(board: str, target: int | None, lines: list[str]) -> None:
    drawing = draw(load_plan(board), target)
    assert labels(drawing, "skunk-name") == lines
    assert len([*elements(drawing, "path", "skunk")]) == len(lines)


@pytest.mark.parametrize("plan", [plan for plan in PLANS if plan.id != "classic-61" and plan.id != "corners-61"])
def test_the_skunk_line_crosses_every_track_between_90_and_91(plan: BoardPlan) -> None:
    line = next(iter(elements(draw(plan, 121), "path", "skunk")))
    start_x, y, end_x, _ = (float(found) for found in re.findall(r"\d+\.?\d*", line.attrib["d"]))
    for track in range(plan.tracks):
        below, above = (plan.named(f"{plan.track_info[track].name} {number}") for number in (90, 91))
        height = plan.plate.height_mm - y
        assert height == pytest.approx((below.y_mm + above.y_mm) / 2, abs=0.01)
        assert below.x_mm < start_x < end_x < plan.plate.width_mm


def test_a_skunk_line_on_a_straight_row_lies_across_it(little_board: ChangePlan) -> None:
    plan = little_board(
        ("lap = 10", "lap = 60"),
        ("[11, 21]", "[61]"),
        ('"oak - - - S1 S2 1..10"', '"oak - - - S1 S2 1..60"'),
        ('"ash - - - S1 S2 1..10"', '"ash - - - S1 S2 1..60"'),
        ("x = 12.5", "x = 68.5"),
    )
    lines = [line.attrib["d"] for line in elements(draw(plan, 61), "path", "skunk")]
    before, after = plan.named("oak 30"), plan.named("oak 31")
    middle = round((before.x_mm + after.x_mm) / 2, 2)
    assert len(lines) == 2
    assert all(line.startswith(f"M{middle:g} ") and f" {middle:g} " in line for line in lines)


def test_an_unsupported_target_is_refused() -> None:
    with pytest.raises(UnsupportedTarget):
        draw(CLASSIC, 91)


def test_the_same_board_is_always_drawn_the_same() -> None:
    assert draw(CLASSIC, 121) == draw(load_plan("classic-61", 2), 121)


@pytest.mark.parametrize(
    ("plan", "limit"),
    [(CLASSIC, 40_000), *((param.values[0], 150_000) for param in PLANS[1:])],  # bytes
)
def test_drawings_are_small(plan: BoardPlan, limit: int) -> None:
    assert max(len(draw(plan, 121, portrait=portrait).encode()) for portrait in (False, True)) < limit


def test_an_unstyled_drawing_has_no_css() -> None:
    bare = draw(CLASSIC, styled=False)
    assert "<style" not in bare
    assert "style=" not in bare
    assert stylesheet(CLASSIC) in draw(CLASSIC)


def test_every_class_in_the_drawing_has_a_rule() -> None:
    drawing = ElementTree.fromstring(draw(CLASSIC, 121))
    used = {css_class for element in drawing.iter() for css_class in element.get("class", "").split()}
    styled = set(re.findall(r"\.([a-z][a-z0-9-]*)", stylesheet(CLASSIC)))
    assert used - styled <= {"hole", "number"}, "the page styles holes; numbers have the style of all text"


def test_the_drawing_has_a_title_and_a_description_for_screen_readers() -> None:
    drawing = ElementTree.fromstring(draw(CLASSIC))
    title, desc = drawing[0], drawing[1]
    assert drawing.attrib["aria-labelledby"].split() == [title.attrib["id"], desc.attrib["id"]]
    assert (title.tag, title.text) == (f"{SVG}title", "Classic 61")
    assert "125 holes" in str(desc.text) and "red, blue" in str(desc.text)


def test_a_title_is_escaped(little_board: ChangePlan) -> None:
    assert labels(draw(little_board()), "title") == ["Little & Light"]


def test_track_lines_run_through_their_holes() -> None:
    for track, inlay in enumerate(elements(draw(CLASSIC), "path", "inlay")):
        corners = {tuple(pair) for pair in pairwise(re.findall(r"\d+\.?\d*", inlay.attrib["d"]))}
        for name in ("back start", "start", "1", "30", "31", "60"):
            hole = CLASSIC.named(f"{CLASSIC.track_info[track].name} {name}")
            y = CLASSIC.plate.height_mm - hole.y_mm
            assert (f"{hole.x_mm:g}", f"{round(y, 2):g}") in corners


# How people with no working red, green or blue cones see: Machado, Oliveira and Fernandes (2009), on linear RGB.
SIGHTS = {
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
TO_XYZ = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1095, 0.8728))  # white is (1, 1, 1)


def seen_as(colour: str, sight: str) -> tuple[float, float, float]:
    """The colour in CIELAB, where a distance of 2 can just be seen."""
    eight_bits = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    light = [((part + 0.055) / 1.055) ** 2.4 if part > 0.04045 else part / 12.92 for part in eight_bits]
    sensed = [min(1.0, max(0.0, sum(map(float.__mul__, row, light)))) for row in SIGHTS[sight]]
    x, y, z = (max(0.0, sum(map(float.__mul__, row, sensed))) ** (1 / 3) for row in TO_XYZ)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", SIGHTS)
def test_colour_blind_people_can_distinguish_the_tracks(sight: str) -> None:
    colours = [inlay.colour for inlay in load_plan("continuous-121-4").track_info]
    for one, other in combinations(colours, 2):
        apart = sum((a - b) ** 2 for a, b in zip(seen_as(one, sight), seen_as(other, sight), strict=True)) ** 0.5
        assert apart > 30, (one, other)


def test_lines_to_a_far_game_hole_pass_no_light_and_no_number() -> None:
    """From hole 60 of the corners board the line turns off at once, and runs between the rows."""
    plan = load_plan("corners-61")
    projection = Projection(plan.plate, is_standing=False)
    for track in range(plan.tracks):
        last, game = plan.at(track, Hole(60)), plan.at(track, plan.game_hole)
        x_mm = last.x_mm + math.copysign(plan.pattern.pitch_mm, game.x_mm - last.x_mm)
        along = projection.points([(x_mm, game.y_mm)]) + "L" + projection.points([(game.x_mm, game.y_mm)])
        assert along in track_line(plan, projection, track)
        crossing = (last.x_mm + x_mm) / 2, (last.y_mm + game.y_mm) / 2
        lights = [(hole.led_x_mm, hole.led_y_mm) for hole in plan.holes]
        places = [*lights, *(number.place for number in numbers(plan))]
        assert min(math.dist(crossing, place) for place in places) > plan.pattern.pitch_mm / 2
        assert min(abs(game.y_mm - y_mm) for _, y_mm in places if y_mm != game.led_y_mm) > plan.pattern.light_mm / 2
