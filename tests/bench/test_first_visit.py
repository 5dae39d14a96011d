"""What a first visit costs: bytes, the time until the page can be used on a slow line, layout shift, and how smoothly a
peg follows the pointer."""

from __future__ import annotations

from statistics import median

import pytest
from playwright.sync_api import Browser, Page

from tests.bench.recording import Recorder
from tests.web_panel.browsing import Program, close_context, middle, needs_browser
from tests.web_panel.browsing import browser as browser
from tests.web_panel.browsing import program as program
from tests.web_panel.pictures import TWO_PLAYERS, post
from tests.web_panel.visits import IS_USABLE, SLOW_4G, SLOW_4G_OF_DEVTOOLS, WATCH_FRAMES, Visit, visit

pytestmark = [*needs_browser, pytest.mark.bench]

MOVES = 120
"""Pointer moves of one drag, about as many as a mouse sends in a second."""
FRAME_MS = 1000 / 60


def test_first_visit(browser: Browser, program: Program, recorder: Recorder) -> None:
    visits = recorder.pick(full=3, small=1)
    welcome = [visit(browser, program.address, SLOW_4G) for _ in range(visits)]
    post(program.address, "commands/new-game", TWO_PLAYERS)
    game = [visit(browser, program.address, SLOW_4G) for _ in range(visits)]
    devtools = [visit(browser, program.address, SLOW_4G_OF_DEVTOOLS) for _ in range(visits)]
    recorder.record(
        "first_visit",
        {
            "first_screen_kb": largest_kb(welcome),
            "game_kb": largest_kb(game),
            "first_screen_requests": max(each.requests for each in welcome),
            "game_requests": max(each.requests for each in game),
            "first_screen_slow_4g_median_ms": median(each.usable_ms for each in welcome),
            "game_slow_4g_median_ms": median(each.usable_ms for each in game),
            "game_slow_4g_of_devtools_median_ms": median(each.usable_ms for each in devtools),
            "first_screen_layout_shift": max(each.layout_shift for each in welcome),
            "game_layout_shift": max(each.layout_shift for each in game),
        },
    )


def largest_kb(visits: list[Visit]) -> float:
    return max(each.sent_bytes for each in visits) / 1000


def test_drag_of_a_peg(browser: Browser, program: Program, recorder: Recorder) -> None:
    """Chromium without a graphics processor draws with the processor, so only the main thread's share is the page's."""
    post(program.address, "commands/new-game", TWO_PLAYERS)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(program.address)
    page.wait_for_function(IS_USABLE)
    figures = drag(page, recorder.pick(full=MOVES, small=MOVES // 8))
    recorder.record("peg_drag", figures)
    close_context(page.context)


def drag(page: Page, moves: int) -> dict[str, float]:
    """Drag a peg to and fro, and return how the frames were."""
    wire = page.context.new_cdp_session(page)
    wire.send("Performance.enable", {"timeDomain": "threadTicks"})
    x, y = middle(page.locator("#drawing .peg .head").first)
    page.mouse.move(x, y)
    page.mouse.down()
    before = metrics(wire.send("Performance.getMetrics"))
    page.evaluate(WATCH_FRAMES)
    for step in range(moves):
        page.mouse.move(x + step % 60 * 4, y + step % 30)
    frames = page.evaluate("window.frames_ms")
    long_frames = page.evaluate("window.long_frames")
    after = metrics(wire.send("Performance.getMetrics"))
    page.keyboard.press("Escape")
    page.mouse.up()
    each = {name: (after[name] - before[name]) * 1000 / max(1, len(frames)) for name in after}
    return {
        "frames": len(frames),
        "frame_interval_median_ms": median(frames),
        "late_frames_percent": 100 * sum(ms > 1.5 * FRAME_MS for ms in frames) / len(frames),
        "tasks_over_50_ms": long_frames,
        "main_thread_ms_per_frame": each["TaskDuration"],
        "script_ms_per_frame": each["ScriptDuration"],
        "layout_and_style_ms_per_frame": each["LayoutDuration"] + each["RecalcStyleDuration"],
    }


def metrics(answer: dict[str, list[dict[str, float | str]]]) -> dict[str, float]:
    """Processor seconds of the main thread since the page was opened, by kind of work: other programs do not count."""
    wanted = ("TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
    return {str(each["name"]): float(each["value"]) for each in answer["metrics"] if each["name"] in wanted}
