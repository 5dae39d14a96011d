"""What somebody on the same Wi-Fi, or a page elsewhere, may try. Each attack has its test; codes and hands have more in
test_pairing and test_private_hands, other pages and names in test_doors."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from firmware_host.phones import Role
from tests.panel.conftest import API, Guest, Room, told
from tests.panel.test_stream import PATIENCE_S, Server
from web_panel.doors import LARGEST_BODY
from web_panel.names import LOOK_AGAIN_S, LOOPBACK, NamesOnLan
from web_panel.roles import NEEDED
from web_panel.visitors import COOKIE

SCRIPT = "<img src=x onerror=alert(1)>"


# Names and pages


def test_a_foreign_name_that_points_here_gets_nothing_even_with_a_token(real_room: Room) -> None:
    guest = Guest(real_room).come_in("Ann")
    for host in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8080"):
        headers = {"Host": host, "Origin": f"http://{host}", "Cookie": f"{COOKIE}={guest.token}"}
        assert real_room.phone.get(f"{API}/my", headers=headers).status_code == 400
        assert real_room.phone.post(f"{API}/orders/undo", json={}, headers=headers).status_code == 400


def test_the_machine_answers_to_its_names_as_they_are_now() -> None:
    now_s, own = 0.0, ["cards", "192.168.1.20"]
    names = NamesOnLan(("Kitchen.local",), lambda: own, lambda: now_s)
    assert {"cards", "192.168.1.20", "kitchen.local"} | LOOPBACK <= {
        name for name in ("cards", "192.168.1.20", "kitchen.local", *LOOPBACK) if name in names
    }
    own[1] = "192.168.1.99"
    assert "192.168.1.99" not in names
    now_s = LOOK_AGAIN_S
    assert "192.168.1.99" in names and "192.168.1.20" not in names and "evil.example" not in names


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:8081", "null", "", "http://localhost/x"])
def test_another_page_cannot_use_the_phone_it_runs_on(real_room: Room, origin: str) -> None:
    guest = Guest(real_room).come_in("Ann")
    assert guest.post("/my/leave", Origin=origin).status_code == 403
    assert real_room.host.porch.book.holder_of(guest.token)


def test_a_browser_that_does_not_say_its_page_speaks_for_no_phone(real_room: Room) -> None:
    guest = Guest(real_room).come_in("Ann")
    assert real_room.post("/my/leave", {}, guest.browser).status_code == 403


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"])
def test_a_form_on_another_site_sends_nothing_that_is_read(real_room: Room, kind: str) -> None:
    guest = Guest(real_room).come_in("Ann")
    headers = {"Origin": "http://localhost"}
    answer = guest.browser.post(f"{API}/my/leave", data=b'{"x="}', content_type=kind, headers=headers)
    assert answer.status_code == 415 and real_room.host.porch.book.holder_of(guest.token)


def test_no_answer_may_be_read_by_another_page(real_room: Room) -> None:
    answer = real_room.get(f"{API}/state", Origin="http://evil.example")
    assert not [header for header, _ in answer.headers if header.startswith("Access-Control")]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


# Tokens


def test_a_token_that_was_planted_opens_nothing_and_is_replaced(real_room: Room) -> None:
    """Session fixation: the attacker knows a cookie before the victim is let in."""
    guest = Guest(real_room)
    guest.browser.set_cookie(COOKIE, "planted")
    guest.come_in("Ann")
    assert guest.token != "planted" and real_room.host.porch.book.holder_of("planted") is None


def test_a_stolen_token_is_worth_nothing_once_it_is_revoked(real_room: Room) -> None:
    owner, ann, thief = Guest(real_room).come_in("Owen"), Guest(real_room).come_in("Ann"), Guest(real_room)
    thief.browser.set_cookie(COOKIE, ann.token)
    own = told(thief.get("/my"))["phone"]
    assert own["name"] == "Ann"
    owner.post(f"/phones/{own['id']}/send-away")
    assert told(thief.get("/my"))["role"] == "viewer" and thief.order("undo").status_code == 403
    assert thief.get("/my/hand").status_code == 403


@pytest.mark.parametrize("token", ["", "x" * 9000, "é", "' OR 1=1 --", "\x7f"])
def test_a_made_up_token_opens_nothing(real_room: Room, token: str) -> None:
    Guest(real_room).come_in("Ann")
    answer = real_room.phone.get(f"{API}/my", headers={"Cookie": f"{COOKIE}={token}".encode().decode("latin-1")})
    assert told(answer)["role"] == "viewer"


def test_the_hash_on_the_disk_is_no_token(real_room: Room) -> None:
    Guest(real_room).come_in("Ann")
    thief = Guest(real_room)
    thief.browser.set_cookie(COOKIE, real_room.host.porch.book.phones[0].token_hash)
    assert told(thief.get("/my"))["role"] == "viewer"


# What is said


def test_a_script_in_a_name_stays_a_name(real_room: Room) -> None:
    owner = Guest(real_room).come_in("<b>Ann</b>", Role.OWNER)
    state = owner.taken("new-game", variant="six_card", names=[SCRIPT, "Ben"], board="classic-61", dealer=0)
    assert state["sides"][0]["name"] == SCRIPT
    page, api = real_room.get("/"), real_room.get(f"{API}/state")
    assert SCRIPT not in page.text and "<b>Ann" not in page.text
    assert api.mimetype == "application/json" and api.headers["X-Content-Type-Options"] == "nosniff"
    assert "script-src 'self';" in api.headers["Content-Security-Policy"]


def test_a_script_in_a_name_is_text_on_every_page(room: Room) -> None:
    room.begin(names=[SCRIPT, "Ben"], scores=[120, 85])
    room.order("correct", side=0, score=121, reason="home")
    pages = [route[4:] for route in NEEDED if route.startswith("GET /") and not re.search("<|/api/|png", route)]
    told = {path: room.get(path) for path in pages}
    markup = {path: page.text for path, page in told.items() if page.mimetype in ("text/html", "image/svg+xml")}
    assert not [path for path, text in markup.items() if "<img src=x" in text]
    assert {"/history", "/card", "/why", "/course.svg"} <= {path for path, text in markup.items() if "&lt;img" in text}


@pytest.mark.parametrize("text", ["Ann\r\nSet-Cookie: x=y", "Ann\n", "\x00", "Ann\u2028"])
def test_no_line_is_smuggled_into_a_header(real_room: Room, text: str) -> None:
    guest = Guest(real_room)
    answer = guest.post("/pairing/knock", {"name": text, "code": "KRTMWX"})
    assert answer.status_code == 400 and "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "path",
    ["/static/../roles.py", "/static/%2e%2e/roles.py", "/static/..%2froles.py", "/static//etc/passwd"]
    + ["/boards/..%2f..%2fsettings/121/lying.svg", f"{API}/phones/..%2f..%2f/role", "/static/%00"],
)
def test_no_path_leads_out_of_its_folder(real_room: Room, path: str) -> None:
    answer = Guest(real_room).browser.get(path)
    assert answer.status_code in (308, 403, 404, 405) and "STRANGER" not in answer.text and "root:" not in answer.text


# Large, slow and many, at the real server


@pytest.fixture
def server(room: Room) -> Iterator[Server]:
    with Server(room, idle_s=1) as server:
        yield server


def connect(server: Server, opening: bytes = b"") -> socket.socket:
    visitor = socket.create_connection(("127.0.0.1", server.port), PATIENCE_S)
    visitor.sendall(opening)
    return visitor


def is_answering(server: Server, within_s: float = 1.0) -> bool:
    """Whether somebody else is served, soon."""
    begun_s = time.monotonic()
    answer = server.ask("GET", "/state")
    return answer.status == 200 and bool(json.loads(answer.read())) and time.monotonic() - begun_s < within_s


def test_ten_megabytes_are_turned_away_before_they_are_sent(server: Server) -> None:
    head = f"POST {API}/orders/undo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with connect(server, f"{head}Content-Length: {10 << 20}\r\n\r\n".encode()) as visitor:
        assert b" 413 " in visitor.recv(4096)
    assert is_answering(server)


def test_a_body_without_an_end_is_cut_off(server: Server) -> None:
    head = f"POST {API}/orders/undo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with connect(server, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode()) as visitor:
        visitor.sendall((b"%x\r\n" % LARGEST_BODY + b" " * LARGEST_BODY + b"\r\n") * 3)
        assert b" 413 " in visitor.recv(4096)


def test_headers_without_an_end_are_cut_off(server: Server) -> None:
    with connect(server, b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000) as visitor:
        assert b" 431 " in visitor.recv(4096)


def test_slow_visitors_hold_no_hands(server: Server) -> None:
    """Requests that never end wait without a thread; whoever falls silent is let go."""
    with ExitStack() as opened:
        slow = [opened.enter_context(connect(server, b"GET / HTTP/1.1\r\nHost: l")) for _ in range(100)]
        for visitor in slow:
            visitor.sendall(b"o")
        assert is_answering(server)
        assert slow[0].recv(4096) == b"" or b" 4" in slow[0].recv(4096)


@pytest.mark.slow
def test_a_thousand_connections_keep_nobody_out(server: Server) -> None:
    with ExitStack() as opened:
        for _ in range(1000):
            opened.enter_context(connect(server))
        assert is_answering(server, within_s=4.0)  # those who came before are received first
    assert is_answering(server)


def test_every_attack_that_the_manual_names_is_tried() -> None:
    tests = Path(__file__).parent
    tried = {name for file in tests.glob("test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text())}
    manual = (tests.parents[1] / "web_panel" / "README.md").read_text()
    named = set(re.findall(r"`(test_\w+)`", manual))
    assert len(named) > 25 and named <= tried
