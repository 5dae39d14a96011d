"""Makes contact sheets of every page in every state: `make gallery`, or `python -m tests.web_panel.gallery [SCENE]`.

One sheet for each scene of `scenes.SCENES`: a row for each language and theme, a column for each size. Nothing in a
picture depends on the day or on chance. The sheets are WebP files in FOLDER, which is not in git.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Page

from firmware_host.config.languages import LANGUAGES
from tests.web_panel.launcher import FIXED_DATE
from tests.web_panel.scenes import SCENES, SIZES, Scene, SceneRunner, scene_runner, scenes_named, settle

FOLDER = Path(__file__).parents[2] / "build" / "gallery"
SCALE = 0.5
"""Pixels of a sheet for one CSS pixel."""
MOST_SCREENS = 2
"""How much of a long page is shown, in heights of its window."""
MARGIN = 16
LABEL_HEIGHT = 24
GROUND, INK = "#8c8c8c", "#ffffff"
QUALITY = 80

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")


class Picture(NamedTuple):
    """One page in one language, theme and size."""

    row: str
    column: str
    image: Image.Image


def pictures(
    runner: SceneRunner, scene: Scene, languages: Sequence[str], themes: Sequence[Theme], sizes: Sequence[str]
) -> Iterator[Picture]:
    """The scene in each language, theme and size. The page is opened once for each language, and then changed."""
    runner.prepare(scene)
    for language in languages:
        with runner.opened(scene, language, sizes[0]) as page:
            for theme in themes:
                page.emulate_media(color_scheme=theme)
                for size in sizes:
                    page.set_viewport_size(SIZES[size])
                    settle(page)
                    yield Picture(f"{language}, {theme}", size, screenshot(page, is_long=bool(scene.path)))


def screenshot(page: Page, *, is_long: bool = False) -> Image.Image:
    """What the window shows, or of a long page at most MOST_SCREENS, scaled by SCALE."""
    taken = Image.open(BytesIO(page.screenshot(full_page=is_long))).convert("RGB")
    assert page.viewport_size
    height = min(taken.height, MOST_SCREENS * page.viewport_size["height"])
    return taken.crop((0, 0, taken.width, height)).resize(
        (round(taken.width * SCALE), round(height * SCALE)), Image.Resampling.BOX
    )


def contact_sheet(title: str, taken: Sequence[Picture]) -> Image.Image:
    """All pictures of a scene in one, with labels."""
    rows, columns = (list(dict.fromkeys(names)) for names in zip(*((p.row, p.column) for p in taken), strict=True))
    widths = {name: max(p.image.width for p in taken if p.column == name) for name in columns}
    heights = {name: max(p.image.height for p in taken if p.row == name) for name in rows}
    size = (
        sum(widths.values()) + MARGIN * (len(columns) + 1),
        sum(heights.values()) + (MARGIN + LABEL_HEIGHT) * len(rows) + MARGIN,
    )
    sheet, font = Image.new("RGB", size, GROUND), ImageFont.load_default(LABEL_HEIGHT - 8)
    pen, top = ImageDraw.Draw(sheet), MARGIN
    for row in rows:
        left = MARGIN
        for column in columns:
            pen.text((left, top), f"{title}, {row}, {column}", INK, font)
            sheet.paste(next(p.image for p in taken if (p.row, p.column) == (row, column)), (left, top + LABEL_HEIGHT))
            left += widths[column] + MARGIN
        top += heights[row] + LABEL_HEIGHT + MARGIN
    return sheet


def parse_arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line. Exits with a message for unknown names."""
    parser = argparse.ArgumentParser(prog="gallery", description="Contact sheets of every page in every state.")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=", ".join(scene.name for scene in SCENES))
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"where the sheets go (default {FOLDER})")
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    parser.add_argument("--themes", nargs="+", choices=THEMES, default=THEMES)
    parser.add_argument("--sizes", nargs="+", choices=tuple(SIZES), default=tuple(SIZES))
    arguments = parser.parse_args(given)
    try:
        arguments.scenes = scenes_named(arguments.scenes)
    except ValueError as error:
        parser.error(str(error))
    return arguments


def main() -> None:
    """Make the sheets that the command line asks for."""
    wanted = parse_arguments()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as states, scene_runner(Path(states), FIXED_DATE) as runner:
        for scene in wanted.scenes:
            taken = list(pictures(runner, scene, wanted.languages, wanted.themes, wanted.sizes))
            file = wanted.folder / f"{scene.name}.webp"
            contact_sheet(scene.name, taken).save(file, "WEBP", quality=QUALITY, method=2)
            print(f"{file}: {len(taken)} pictures", flush=True)


if __name__ == "__main__":
    main()
