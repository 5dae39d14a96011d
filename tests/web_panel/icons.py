"""Makes the PNG icons from `icon.svg` with Chromium: `python -m tests.web_panel.icons`."""

from __future__ import annotations

from io import BytesIO

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.web_panel.browsing import CHROMIUM, QUIET, ROOT, close_page

STATIC = ROOT / "web_panel" / "static"
SIZES_PX = (192, 512)


def drawn(browser: Browser, size_px: int) -> Image.Image:
    page = browser.new_page(viewport={"width": size_px, "height": size_px})
    svg = (STATIC / "icon.svg").read_text()
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    close_page(page)
    return picture


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for size_px in SIZES_PX:
            few_colours = drawn(browser, size_px).quantize(32)
            few_colours.save(STATIC / f"icon-{size_px}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
