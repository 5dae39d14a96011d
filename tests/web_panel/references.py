"""Small stored pictures of chosen pages, with which the slow tests compare the pages of today.

`python -m tests.web_panel.references` takes all of them anew, after a change of the look that is wanted. Look at the
change first: a failed test writes the two pictures and their difference to FAILED.

Pictures of different machines differ by fonts and by how these are drawn. So the pages are drawn with the font of
`box_font`, in which every letter is a box; the pictures are a quarter of the size; and a pixel may have the colour of
any of its neighbours. What is left are moved, missing and recoloured things.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Page

from tests.web_panel.box_font import box_font_style
from tests.web_panel.launcher import FIXED_DATE
from tests.web_panel.scenes import SIZES, Scene, SceneRunner, scene_runner, scenes_named, settle

FOLDER = Path(__file__).parent / "references"
FAILED = Path(__file__).parents[2] / "build" / "changed-pictures"

SMALLER = 4
"""How many CSS pixels become one pixel, in each direction."""
BLUR = 0.8
"""In pixels. A thin line that lies one CSS pixel lower keeps its colour."""
MOST_DIFFERENCE = 24
"""How far a channel (0 to 255) may be outside the range of the neighbours in the other picture."""
MOST_CHANGED = 24
"""How many pixels of a picture may differ more than that: about 400 CSS pixels, the area of a small icon."""

Theme = Literal["light", "dark"]


class View(NamedTuple):
    """A size and a theme."""

    size: str
    theme: Theme = "light"


PHONE, SMALL_PHONE, TABLET = View("390x844"), View("360x640"), View("768x1024")
DESK, WIDE = View("1280x800"), View("1920x1080")
PHONE_AT_NIGHT, DESK_AT_NIGHT = View("390x844", "dark"), View("1280x800", "dark")

CHOSEN: dict[str, tuple[View, ...]] = {
    "first": (SMALL_PHONE, DESK_AT_NIGHT),
    "demo": (PHONE,),
    "new-game": (PHONE, DESK),
    "cut": (SMALL_PHONE,),
    "play": (DESK, PHONE_AT_NIGHT),
    "peg": (PHONE, DESK),
    "wrong-peg": (PHONE, DESK_AT_NIGHT),
    "counted": (DESK,),
    "crib": (TABLET,),
    "menu": (PHONE,),
    "won": (PHONE, DESK),
    "replay": (PHONE,),
    "hand": (PHONE,),
    "four-sides": (TABLET,),
    "six-sides": (WIDE,),
    "settings": (PHONE, DESK_AT_NIGHT),
    "history": (PHONE,),
    "review": (DESK,),
    "device": (TABLET,),
    "big": (WIDE,),
    "help": (DESK,),
    "setup-names": (SMALL_PHONE,),
    "setup-sensors": (PHONE, DESK),
    "setup-lights": (DESK_AT_NIGHT,),
    "setup-keys": (PHONE_AT_NIGHT,),
    "setup-game": (DESK,),
    "404": (PHONE,),
}
"""Scene -> the views that are compared."""


def file_of(scene: str, view: View) -> Path:
    """The stored picture."""
    return FOLDER / f"{scene}-{view.size}-{view.theme}.webp"


def taken(runner: SceneRunner, scene: Scene, *, style: str = "") -> Iterator[tuple[View, Image.Image]]:
    """The chosen views of a scene, small. `style`: CSS to add."""
    runner.prepare(scene)
    views = CHOSEN[scene.name]
    with runner.opened(scene, size=views[0].size, style=f"{box_font_style()}\n{style}") as page:
        for view in views:
            page.emulate_media(color_scheme=view.theme)
            page.set_viewport_size(SIZES[view.size])
            yield view, small_picture(page)


def small_picture(page: Page) -> Image.Image:
    """What the window shows, a quarter of the size."""
    page.mouse.move(0, 0)
    settle(page)
    return Image.open(BytesIO(page.screenshot(caret="hide"))).convert("RGB").reduce(SMALLER)


def difference(one: Image.Image, other: Image.Image) -> Image.Image:
    """How far each channel of each pixel is outside the range of the neighbours in the other picture."""
    one, other = (each.filter(ImageFilter.GaussianBlur(BLUR)) for each in (one, other))
    return ImageChops.lighter(_outside(one, other), _outside(other, one))


def _outside(picture: Image.Image, other: Image.Image) -> Image.Image:
    least, most = other.filter(ImageFilter.MinFilter(3)), other.filter(ImageFilter.MaxFilter(3))
    return ImageChops.lighter(ImageChops.subtract(picture, most), ImageChops.subtract(least, picture))


def changed_pixels(one: Image.Image, other: Image.Image) -> int:
    """How many pixels differ in any channel. Pictures of different sizes differ everywhere."""
    if one.size != other.size:
        return one.width * one.height
    red, green, blue = difference(one, other).split()
    largest = ImageChops.lighter(red, ImageChops.lighter(green, blue))
    return sum(largest.histogram()[MOST_DIFFERENCE + 1 :])


def main() -> None:
    """Take and store all pictures, and remove those that are no longer chosen."""
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.webp"):
        file.unlink()
    with TemporaryDirectory() as states, scene_runner(Path(states), FIXED_DATE) as runner:
        for scene in scenes_named(tuple(CHOSEN)):
            for view, picture in taken(runner, scene):
                picture.save(file_of(scene.name, view), lossless=True, method=6)
                print(file_of(scene.name, view), flush=True)


if __name__ == "__main__":
    main()
