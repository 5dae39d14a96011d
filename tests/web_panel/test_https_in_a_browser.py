"""HTTPS in Chromium, as on a phone: first without trust, then with the authority of the board among those it trusts.

The browser reaches the board through a relay that records every byte, as somebody in the same Wi-Fi could.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import BrowserContext, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.web_panel.browsing import CHROMIUM, PATIENCE_MS, QUIET, Program, close_context, needs_browser, running
from tests.web_panel.recording_relay import RecordingRelay
from web_panel.security.https import AUTHORITY
from web_panel.security.identity import COOKIE

CERTUTIL = shutil.which("certutil")
NAME = "cards.test"
POST = """const post = (path, body) => fetch("/api/v1" + path, { method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" } }).then((answer) => answer.status);"""
ADD_AND_BEGIN = f"""async () => {{
  {POST}
  return [await post("/pairing/local", {{ name: "Ann" }}), await post("/commands/new-game",
    {{ variant: "six_card", names: ["Ann", "Ben"], board: "classic-61", dealer: 0 }})];
}}"""
HOLD_A_HAND = f"""async () => {{
  {POST}
  return [await post("/me/seat", {{ seat: 0 }}),
    await post("/commands/deal", {{ cards: ["4D", "4S", "5H", "6C", "9D", "QS"] }}),
    await (await fetch("/api/v1/me/hand")).text()];
}}"""

pytestmark = [
    *needs_browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        CERTUTIL is None, reason="TRUST NOT TESTED IN A BROWSER: no certutil. Fix: apt install libnss3-tools"
    ),
]


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A board with HTTPS. Its own computer has its pages without, as http://127.0.0.1."""
    environ = {"CRIBBOARD_HTTPS": "true", "CRIBBOARD_NAMES_ON_LAN": NAME}
    with running(tmp_path_factory.mktemp("state"), environ) as program:
        yield program


@pytest.fixture
def relay(board: Program) -> Iterator[RecordingRelay]:
    relay = RecordingRelay(board.port)
    yield relay
    relay.close()


@contextmanager
def browser(home: Path) -> Iterator[BrowserContext]:
    """A browser of a user with this home folder, whose authorities are in the database of NSS there."""
    resolver = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*QUIET, resolver], env={"HOME": str(home), "PATH": "/usr/bin:/bin"}
        )
        context = chromium.new_context()
        context.set_default_timeout(PATIENCE_MS)
        yield context
        close_context(context)
        chromium.close()


def trust(home: Path, board: Program) -> None:
    """What a person does who follows the trust page: download the authority, and add it to the trusted ones."""
    file, database = home / "cribboard.crt", home / ".pki" / "nssdb"
    with urlopen(f"{board.address}{AUTHORITY.removeprefix('/')}") as answer:
        file.write_bytes(answer.read())
    database.mkdir(parents=True)
    for options in (["-N", "--empty-password"], ["-A", "-n", "cribboard", "-t", "C,,", "-i", str(file)]):
        subprocess.run([str(CERTUTIL), "-d", f"sql:{database}", *options], check=True, capture_output=True)


def test_without_trust_the_browser_refuses_the_page(board: Program, relay: RecordingRelay, tmp_path: Path) -> None:
    with browser(tmp_path) as context:
        page = context.new_page()
        with pytest.raises(PlaywrightError, match="ERR_CERT_AUTHORITY_INVALID"):
            page.goto(f"https://{NAME}:{relay.port}/")
        page = context.new_page()
        page.goto(f"http://{NAME}:{relay.port}/")
        assert page.locator("h1").inner_text() == "Trust this board" and not page.evaluate("isSecureContext")


def test_with_trust_the_page_is_secure_and_nothing_is_in_clear(
    board: Program, relay: RecordingRelay, tmp_path: Path
) -> None:
    trust(tmp_path, board)
    with browser(tmp_path) as context:
        page = context.new_page()
        page.goto(f"http://{NAME}:{relay.port}/")
        page.locator("section a.button[href^='https']").click()
        page.wait_for_url(f"https://{NAME}:{relay.port}/")
        assert page.evaluate("isSecureContext && 'wakeLock' in navigator && 'serviceWorker' in navigator")
        page.locator('body[data-health="live"]').wait_for()
        token, hand = hold_a_hand(board, context, page)
        page.goto(f"http://{NAME}:{relay.port}/help")  # typed without https
        assert page.url == f"https://{NAME}:{relay.port}/help"
    assert len(relay.bytes) > 50_000 and b"GET / HTTP/1.1" in relay.bytes  # the first visit was in clear, and recorded
    for secret in (token, f"{COOKIE}=", '"4D"', hand, "/api/v1/me"):
        assert secret.encode() not in relay.bytes, secret


def hold_a_hand(board: Program, context: BrowserContext, page: Page) -> tuple[str, str]:
    """Let this browser be a phone that was added before HTTPS was switched on, and enter six cards on it. Returns its
    token, and its hand as it was received."""
    assert context.browser
    owner = context.browser.new_context()
    own = owner.new_page()
    own.goto(board.address)  # on the board's own computer
    sent = own.evaluate(ADD_AND_BEGIN)
    (token,) = [each["value"] for each in owner.cookies() if each["name"] == COOKIE]
    close_context(owner)
    assert sent == [200, 200]
    context.add_cookies([{"name": COOKIE, "value": token, "url": f"http://{NAME}/"}])
    page.goto(page.url)
    assert [each["secure"] for each in context.cookies() if each["name"] == COOKIE] == [True]
    seat, dealt, hand = page.evaluate(HOLD_A_HAND)
    assert (seat, dealt) == (200, 200) and "4D" in hand
    return token, hand


def test_the_browser_remembers_https_for_the_name(board: Program, relay: RecordingRelay, tmp_path: Path) -> None:
    """After one visit nothing more is sent in clear: the browser changes the scheme by itself, and keeps the port."""
    trust(tmp_path, board)
    with browser(tmp_path) as context:
        page = context.new_page()
        page.goto(f"https://{NAME}:{relay.port}/help")
        page.goto(f"http://{NAME}:{relay.port}/big")
        assert page.url == f"https://{NAME}:{relay.port}/big"
    assert len(relay.bytes) > 10_000 and b"HTTP/1.1" not in relay.bytes


def test_another_name_is_not_accepted(board: Program, relay: RecordingRelay, tmp_path: Path) -> None:
    trust(tmp_path, board)
    with browser(tmp_path) as context:
        page = context.new_page()
        with pytest.raises(PlaywrightError, match="ERR_CERT_COMMON_NAME_INVALID"):
            page.goto(f"https://127.0.0.1:{relay.port}/")
