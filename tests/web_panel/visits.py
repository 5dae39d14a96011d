"""Visits with an empty cache, and what they cost: bytes, time on a slow line, and layout shift."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Browser, ViewportSize

from tests.web_panel.browsing import close_context

PHONE: ViewportSize = {"width": 390, "height": 844}


class Line(NamedTuple):
    """A network line: latency of each request, and bits a second."""

    latency_ms: float
    down_bits: float
    up_bits: float


SLOW_4G = Line(150, 1.6e6, 750e3)
"""The line of the profile "slow 4G" of Lighthouse: what is measured on it, at 150 ms for a round trip."""
SLOW_4G_OF_DEVTOOLS = Line(562.5, 1.44e6, 675e3)
"""The entry "Slow 4G" in the network panel of Chromium. It adds 3.75 round trips to each request, and 10 % less speed,
because a connection over the internet is opened in several round trips. A board is on the same Wi-Fi."""

IS_USABLE = """() => {
  const isShown = (selector) => [...document.querySelectorAll(selector)].some((each) => each.checkVisibility());
  const isWelcome = isShown("#start") && document.body.dataset.health === "live";
  const title = document.querySelector("#card-input .input-title");
  const isGame = document.querySelector("#drawing .peg") && title?.textContent;
  return (isWelcome || isGame) && performance.now();
}"""
"""Milliseconds from the navigation, once the first screen takes presses, or the board is drawn with its card keys."""

WATCH_SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value; })
  .observe({ type: "layout-shift", buffered: true });
"""

WATCH_FRAMES = """() => {
  window.frames_ms = [];
  window.long_frames = 0;
  let before = null;
  const next = (now) => {
    if (before !== null) window.frames_ms.push(now - before);
    before = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  new PerformanceObserver((list) => { window.long_frames += list.getEntries().length; }).observe({ type: "longtask" });
}"""
"""Collects the intervals between frames in milliseconds, and counts tasks of the main thread over 50 ms."""


class Visit(NamedTuple):
    """What one visit cost."""

    sent_bytes: float
    """Compressed, with headers."""
    requests: int
    usable_ms: float
    layout_shift: float
    """Cumulative, as web.dev/cls defines it, until the page has been usable for a second."""


def visit(browser: Browser, address: str, line: Line | None = None, size: ViewportSize = PHONE) -> Visit:
    """Open the main page with an empty cache, on a line if one is given."""
    context = browser.new_context(viewport=size)
    page = context.new_page()
    page.add_init_script(WATCH_SHIFTS)
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    if line:
        speeds = {"downloadThroughput": line.down_bits / 8, "uploadThroughput": line.up_bits / 8}
        wire.send("Network.emulateNetworkConditions", {"offline": False, "latency": line.latency_ms, **speeds})
    requested, sizes = list[str](), list[float]()
    wire.on("Network.requestWillBeSent", lambda event: requested.append(event["request"]["url"]))
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(address, wait_until="commit")
    usable_ms = float(page.wait_for_function(IS_USABLE).json_value())
    page.wait_for_timeout(1000)
    shift = float(page.evaluate("window.shift"))
    close_context(context)
    own = [url for url in requested if url.startswith("http")]
    return Visit(sum(sizes), len(own), usable_ms, shift)
