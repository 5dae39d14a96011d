"""The pages look as in the stored pictures. After a change that is wanted: python -m tests.web_panel.references"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFilter

from tests.web_panel.browsing import in_chromium
from tests.web_panel.launcher import FIXED_DATE
from tests.web_panel.references import (
    CHOSEN,
    DESK,
    FAILED,
    FOLDER,
    MOST_CHANGED,
    PHONE,
    View,
    changed_pixels,
    difference,
    file_of,
    taken,
)
from tests.web_panel.scenes import SceneRunner, scene_runner, scenes_named

MOST_BYTES = 600_000
FIX = "a change that is wanted: python -m tests.web_panel.references"


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SceneRunner]:
    with scene_runner(tmp_path_factory.mktemp("states"), FIXED_DATE) as runner:
        yield runner


def stored(scene: str, view: View) -> Image.Image:
    return Image.open(file_of(scene, view)).convert("RGB")


def changes(runner: SceneRunner, name: str, style: str = "") -> dict[View, int]:
    """How many pixels of each view of a scene differ from the stored picture."""
    (scene,) = scenes_named((name,))
    found = {}
    for view, picture in taken(runner, scene, style=style):
        found[view] = changed_pixels(stored(name, view), picture)
        if found[view] > MOST_CHANGED and not style:
            keep(name, view, picture)
    return found


def keep(name: str, view: View, picture: Image.Image) -> Path:
    """Write the stored picture, the new one and their difference side by side."""
    pictures = (stored(name, view), picture, difference(stored(name, view), picture))
    sheet = Image.new("RGB", (sum(each.width for each in pictures), picture.height))
    for number, each in enumerate(pictures):
        sheet.paste(each, (number * picture.width, 0))
    FAILED.mkdir(parents=True, exist_ok=True)
    sheet.save(FAILED / file_of(name, view).name)
    return FAILED / file_of(name, view).name


@pytest.mark.parametrize("name", list(CHOSEN))
@in_chromium
def test_a_page_looks_as_in_its_stored_pictures(runner: SceneRunner, name: str) -> None:
    found = changes(runner, name)
    print(name, found)
    assert max(found.values()) <= MOST_CHANGED, f"see {FAILED}; {FIX}"


BROKEN = {
    "a moved primary button": ("peg", "#primary { transform: translateX(12px); }"),
    "a lower primary button": ("won", "#primary { transform: translateY(-12px); }"),
    "a missing card": ("play", "#table-cards .card:last-child { visibility: hidden; }"),
    "another colour of what is next": ("peg", ":root { --gold: #e9c987 !important; }"),
    "a missing peg": ("play", ".peg { opacity: 0 !important; }"),
    "an error that is not red": ("wrong-peg", "#status { background: none !important; }"),
    "keys that are too low": ("play", ".key { min-height: 30px !important; }"),
    "a hidden list": ("history", ".past-games, main ol, main ul { visibility: hidden; }"),
    "text of another colour": ("help", "main p, main li { color: #b0a890 !important; }"),
}
"""What is broken -> a scene that shows it, and the CSS that breaks it."""


@pytest.mark.parametrize("what", list(BROKEN))
@in_chromium
def test_broken_css_is_found(runner: SceneRunner, what: str) -> None:
    scene, style = BROKEN[what]
    found = changes(runner, scene, style)
    print(what, found)
    assert max(found.values()) > MOST_CHANGED


OTHER_FONTS = """
:root { --sans: "Liberation Mono", "DejaVu Sans Mono", monospace !important; --serif: cursive !important; }
* { text-rendering: geometricPrecision; -webkit-font-smoothing: none; font-kerning: none; }
"""


@pytest.mark.parametrize("scene", ["peg", "settings", "review"])
@in_chromium
def test_the_fonts_of_a_machine_change_nothing(runner: SceneRunner, scene: str) -> None:
    assert max(changes(runner, scene, OTHER_FONTS).values()) <= MOST_CHANGED


# Without a browser.


def drawing(*, x: int = 40, fill: str = "#f4b62f") -> Image.Image:
    """A button on paper."""
    picture = Image.new("RGB", (100, 200), "#f4efe5")
    ImageDraw.Draw(picture).rectangle((x, 150, x + 40, 170), fill)
    return picture


def test_blur_and_a_shift_of_one_pixel_are_no_change() -> None:
    assert changed_pixels(drawing(), drawing()) == 0
    assert changed_pixels(drawing(), drawing().filter(ImageFilter.GaussianBlur(0.6))) <= MOST_CHANGED
    assert changed_pixels(drawing(), drawing(x=41)) == 0


def test_a_moved_thing_and_another_colour_are_changes() -> None:
    assert changed_pixels(drawing(), drawing(x=43)) > MOST_CHANGED
    assert changed_pixels(drawing(), drawing(fill="#e9c987")) > MOST_CHANGED
    assert changed_pixels(drawing(), Image.new("RGB", (50, 50))) == 2500 * 8


def test_each_chosen_view_has_a_picture_and_all_are_small() -> None:
    files = {file_of(scene, view) for scene, views in CHOSEN.items() for view in views}
    assert set(FOLDER.glob("*")) == files, FIX
    assert sum(file.stat().st_size for file in files) < MOST_BYTES
    assert {PHONE.size, DESK.size} <= {view.size for views in CHOSEN.values() for view in views}
