"""Attacks from the same Wi-Fi or from another page. More of them are in test_pairing, test_private_hands and
test_request_guard."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from flask import request as flask_request

from firmware_host.pairing.registry import Role
from tests.web_panel.attackers import ATTACKS, attack
from tests.web_panel.browsing import until
from tests.web_panel.conftest import API, PhoneClient, Rig, json_of
from tests.web_panel.paired_phone import BEGIN, SOURCE, PairedPhone
from tests.web_panel.test_stream import PATIENCE_S, Server
from web_panel.security.allowed_hosts import LOOPBACK, REFRESH_S, LanHostNames
from web_panel.security.identity import COOKIE
from web_panel.security.permissions import REQUIRED_ROLES
from web_panel.security.request_guard import MAX_BODY_BYTES
from web_panel.server.limits import ServerLimits

SCRIPT = "<img src=x onerror=alert(1)>"


# Host names and origins


def test_dns_rebinding_fails_even_with_a_token(real_rig: Rig) -> None:
    phone = PhoneClient(real_rig).pair("Ann")
    for host in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8080"):
        headers = {"Host": host, "Origin": f"http://{host}", "Cookie": f"{COOKIE}={phone.token}"}
        assert real_rig.client.get(f"{API}/me", headers=headers).status_code == 400
        assert real_rig.client.post(f"{API}/commands/undo", json={}, headers=headers).status_code == 400


def test_own_addresses_are_looked_up_again() -> None:
    now_s, own = 0.0, ["cards", "192.168.1.20"]
    names = LanHostNames(("Kitchen.local",), lambda: own, lambda: now_s)
    assert {"cards", "192.168.1.20", "kitchen.local"} | LOOPBACK <= {
        name for name in ("cards", "192.168.1.20", "kitchen.local", *LOOPBACK) if name in names
    }
    own[1] = "192.168.1.99"
    assert "192.168.1.99" not in names
    now_s = REFRESH_S
    assert "192.168.1.99" in names and "192.168.1.20" not in names and "evil.example" not in names


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:8081", "null", "", "http://localhost/x"])
def test_another_page_on_the_same_phone_cannot_send_commands(real_rig: Rig, origin: str) -> None:
    phone = PhoneClient(real_rig).pair("Ann")
    assert phone.post("/me/leave", Origin=origin).status_code == 403
    assert real_rig.host.pairing.registry.phone_with_token(phone.token)


def test_a_cookie_without_an_origin_is_refused(real_rig: Rig) -> None:
    phone = PhoneClient(real_rig).pair("Ann")
    assert real_rig.post("/me/leave", {}, phone.client).status_code == 403


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"])
def test_a_form_on_another_site_is_refused(real_rig: Rig, kind: str) -> None:
    phone = PhoneClient(real_rig).pair("Ann")
    headers = {"Origin": "http://localhost"}
    answer = phone.client.post(f"{API}/me/leave", data=b'{"x="}', content_type=kind, headers=headers)
    assert answer.status_code == 415 and real_rig.host.pairing.registry.phone_with_token(phone.token)


def test_another_page_cannot_read_answers(real_rig: Rig) -> None:
    answer = real_rig.get(f"{API}/state", Origin="http://evil.example")
    assert not [header for header, _ in answer.headers if header.startswith("Access-Control")]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/phones", f"{API}/me", f"{API}/state", "/history.json", "/cribboard.sqlite3"])
def test_no_cache_keeps_what_is_for_one_visitor(rig: Rig, path: str) -> None:
    with rig.client.get(path) as answer:
        assert answer.status_code == 200 and "no-store" in answer.headers["Cache-Control"]


def test_no_page_can_be_framed(rig: Rig) -> None:
    """Clickjacking: another site could lay its own page over the board's."""
    for path in ("/", "/phones", "/settings", "/device"):
        assert "frame-ancestors 'none'" in rig.get(path).headers["Content-Security-Policy"]


# Tokens


def test_a_planted_token_is_invalid_and_is_replaced(real_rig: Rig) -> None:
    """Session fixation: the attacker knows a cookie before the victim is paired."""
    phone = PhoneClient(real_rig)
    phone.client.set_cookie(COOKIE, "planted")
    phone.pair("Ann")
    assert phone.token != "planted" and real_rig.host.pairing.registry.phone_with_token("planted") is None


def test_a_revoked_token_is_invalid(real_rig: Rig) -> None:
    owner, ann, thief = (
        PhoneClient(real_rig).pair("Owen"),
        PhoneClient(real_rig).pair("Ann"),
        PhoneClient(real_rig),
    )
    thief.client.set_cookie(COOKIE, ann.token)
    own = json_of(thief.get("/me"))["phone"]
    assert own["name"] == "Ann"
    owner.post(f"/phones/{own['id']}/remove")
    assert json_of(thief.get("/me"))["role"] == "viewer" and thief.send("undo").status_code == 403
    assert thief.get("/me/hand").status_code == 403


@pytest.mark.parametrize("token", ["", "x" * 9000, "é", "' OR 1=1 --", "\x7f"])
def test_a_forged_token_is_invalid(real_rig: Rig, token: str) -> None:
    PhoneClient(real_rig).pair("Ann")
    answer = real_rig.client.get(f"{API}/me", headers={"Cookie": f"{COOKIE}={token}".encode().decode("latin-1")})
    assert json_of(answer)["role"] == "viewer"


def test_the_stored_hash_is_not_a_valid_token(real_rig: Rig) -> None:
    PhoneClient(real_rig).pair("Ann")
    thief = PhoneClient(real_rig)
    thief.client.set_cookie(COOKIE, real_rig.host.pairing.registry.phones[0].token_hash)
    assert json_of(thief.get("/me"))["role"] == "viewer"


# Injection


def test_a_script_in_a_name_is_escaped(real_rig: Rig) -> None:
    owner = PhoneClient(real_rig).pair("<b>Ann</b>", Role.OWNER)
    state = owner.command("new-game", variant="six_card", names=[SCRIPT, "Ben"], board="classic-61", dealer=0)
    assert state["sides"][0]["name"] == SCRIPT
    page, api = real_rig.get("/"), real_rig.get(f"{API}/state")
    assert SCRIPT not in page.text and "<b>Ann" not in page.text
    assert api.mimetype == "application/json" and api.headers["X-Content-Type-Options"] == "nosniff"
    assert "script-src 'self';" in api.headers["Content-Security-Policy"]


def test_a_script_in_a_name_is_text_on_every_page(rig: Rig) -> None:
    rig.begin(names=[SCRIPT, "Ben"], scores=[120, 85])
    rig.command("correct", side=0, score=121, reason="home")
    pages = [route[4:] for route in REQUIRED_ROLES if route.startswith("GET /") and not re.search("<|/api/|png", route)]
    answers = {path: rig.get(path) for path in pages}
    markup = {path: page.text for path, page in answers.items() if page.mimetype in ("text/html", "image/svg+xml")}
    assert not [path for path, text in markup.items() if "<img src=x" in text]
    assert {"/history", "/scorecards", "/score-breakdown", "/score-chart.svg"} <= {
        path for path, text in markup.items() if "&lt;img" in text
    }


@pytest.mark.parametrize("text", ["Ann\r\nSet-Cookie: x=y", "Ann\n", "\x00", "Ann\u2028"])
def test_a_name_cannot_inject_a_header(real_rig: Rig, text: str) -> None:
    phone = PhoneClient(real_rig)
    answer = phone.post("/pairing/request", {"name": text, "code": "KRTMWX"})
    assert answer.status_code == 400 and "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "path",
    ["/static/../roles.py", "/static/%2e%2e/roles.py", "/static/..%2froles.py", "/static//etc/passwd"]
    + ["/boards/..%2f..%2fsettings/121/landscape.svg", f"{API}/phones/..%2f..%2f/role", "/static/%00"],
)
def test_no_path_leaves_its_folder(real_rig: Rig, path: str) -> None:
    answer = PhoneClient(real_rig).client.get(path)
    assert answer.status_code in (308, 403, 404, 405) and "STRANGER" not in answer.text and "root:" not in answer.text


# Resource exhaustion, with the real server

MAX_GROWTH_MIB = 20


@pytest.fixture
def server(rig: Rig) -> Iterator[Server]:
    with Server(rig, ServerLimits(idle_s=1, header_s=0.5, linger_s=0.5, sweep_s=0.1)) as server:
        yield server


def connect(
    server: Server, opening: bytes = b"", source: str = "", receive_bytes: int = 0, patience_s: float = PATIENCE_S
) -> socket.socket:
    """A connection, from another address of this computer if one is given."""
    visitor = socket.socket()
    if receive_bytes:
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    visitor.bind((source, 0))
    visitor.settimeout(patience_s)
    try:
        visitor.connect(("127.0.0.1", server.port))
        visitor.sendall(opening)
    except OSError:
        visitor.close()
        raise
    return visitor


def is_answering(server: Server, within_s: float = PATIENCE_S / 3) -> bool:
    """Whether another client is answered in time."""
    started_s = time.monotonic()
    answer = server.ask("GET", "/state")
    return answer.status == 200 and bool(json.loads(answer.read())) and time.monotonic() - started_s < within_s


def test_ten_megabytes_are_refused_before_they_are_sent(server: Server) -> None:
    head = f"POST {API}/commands/undo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with connect(server, f"{head}Content-Length: {10 << 20}\r\n\r\n".encode()) as visitor:
        assert b" 413 " in visitor.recv(4096)
    assert is_answering(server)


def test_a_body_without_an_end_is_cut_off(server: Server) -> None:
    head = f"POST {API}/commands/undo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with connect(server, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode()) as visitor:
        visitor.sendall((b"%x\r\n" % MAX_BODY_BYTES + b" " * MAX_BODY_BYTES + b"\r\n") * 3)
        assert b" 413 " in visitor.recv(4096)


def test_headers_without_an_end_are_cut_off(server: Server) -> None:
    with connect(server, b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000) as visitor:
        assert b" 431 " in visitor.recv(4096)


def is_closed(visitor: socket.socket) -> bool:
    """Whether the server closes the connection; what it sends before is read. Raises TimeoutError if it does not."""
    with suppress(ConnectionResetError):
        while visitor.recv(1 << 16):
            pass
    return True


def test_slow_requests_occupy_no_thread(server: Server) -> None:
    """An incomplete request occupies no thread. Its time counts from its first byte: more bytes prolong neither
    it nor the time in which the server discards input before it closes."""
    with ExitStack() as opened:
        slow = [opened.enter_context(connect(server, b"GET / HTTP/1.1\r\nHost: l")) for _ in range(40)]
        assert is_answering(server)
        ends_s = time.monotonic() + PATIENCE_S
        with suppress(BrokenPipeError, ConnectionResetError):
            while time.monotonic() < ends_s:
                slow[0].sendall(b"o")
                time.sleep(0.1)
            pytest.fail("the connection is still open long after the longest time of a request")
        assert all(is_closed(visitor) for visitor in slow[1:])


def test_a_slow_body_is_cut_off(rig: Rig) -> None:
    head = f"POST {API}/commands/undo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16000\r\n\r\n"
    with Server(rig, ServerLimits(body_s=0.5, sweep_s=0.1)) as server, connect(server, head.encode()) as visitor:
        assert b" 408 " in visitor.recv(4096)


def test_an_idle_connection_is_closed(server: Server) -> None:
    with connect(server) as visitor:
        assert is_closed(visitor)


def test_a_stranger_has_few_connections(real_rig: Rig) -> None:
    limits = ServerLimits(connections_of_stranger=5)
    with Server(real_rig, limits) as server, ExitStack() as opened:
        first, *_ = (opened.enter_context(connect(server)) for _ in range(6))
        assert is_closed(first) and is_answering(server)


def test_a_full_server_closes_connections_of_whoever_has_most(real_rig: Rig) -> None:
    limits = ServerLimits(connections=6)
    with Server(real_rig, limits) as server, ExitStack() as opened:
        many = [opened.enter_context(connect(server, source="127.0.0.2")) for _ in range(4)]
        few = [opened.enter_context(connect(server, source="127.0.0.3")) for _ in range(2)]
        newest = opened.enter_context(connect(server, source="127.0.0.4"))
        assert is_closed(many[0])
        for visitor in (*few, newest):
            visitor.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert visitor.recv(4096)


def request_of(phone: PhoneClient) -> bytes:
    return f"GET {API}/me HTTP/1.1\r\nHost: localhost\r\nCookie: {COOKIE}={phone.token}\r\n\r\n".encode()


def test_a_stranger_at_a_phones_address_closes_nobodys_connection(real_rig: Rig) -> None:
    """A phone shares its address with whoever is behind the same router, and with its other apps."""
    request = request_of(PhoneClient(real_rig).pair("Ann"))
    limits = ServerLimits(connections=12, connections_of_stranger=4, waiting_s=0.2, sweep_s=0.1)
    with Server(real_rig, limits) as server, ExitStack() as opened:
        known, elsewhere = (opened.enter_context(connect(server, source=f"127.0.0.{host}")) for host in (2, 3))
        for visitor in (known, elsewhere):
            visitor.sendall(request)
            assert b"Ann" in visitor.recv(4096)
        watching = opened.enter_context(connect(server, source="127.0.0.4"))
        strangers = [opened.enter_context(connect(server, source="127.0.0.2")) for _ in range(20)]
        assert all(is_closed(stranger) for stranger in strangers[4:])
        for visitor in (known, elsewhere, watching):
            visitor.sendall(request)
            assert b"Ann" in visitor.recv(4096)


def test_a_phone_connects_anew_while_strangers_use_all_connections_of_its_address(real_rig: Rig) -> None:
    request = request_of(PhoneClient(real_rig).pair("Ann"))
    limits = ServerLimits(connects_at_once=6, connects_per_s=0.001, waiting_connections=8, refusals=5)
    with Server(real_rig, limits) as server, ExitStack() as opened:
        with connect(server, request, source="127.0.0.2") as before:
            assert b"Ann" in before.recv(4096)
        opened.enter_context(connect(server, source="127.0.0.2"))
        for _ in range(40):
            opened.enter_context(connect(server, source="127.0.0.2"))
            with connect(server, request, source="127.0.0.2") as phone:
                assert b"Ann" in phone.recv(4096)
        for cookie in ("", f"Cookie: {COOKIE}=forged\r\n", "Cookie: \xff=\r\n", "\x16\x03"):
            sent = f"GET / HTTP/1.1\r\nHost: localhost\r\n{cookie}\r\n".encode("latin-1")
            with connect(server, source="127.0.0.2") as stranger, suppress(OSError):
                stranger.sendall(sent)
                assert not stranger.recv(4096)


def test_a_stranger_who_connects_too_often_is_not_accepted(real_rig: Rig) -> None:
    limits = ServerLimits(connects_at_once=5, connects_per_s=0.001, refusals=5)
    with Server(real_rig, limits) as server, ExitStack() as opened:
        for _ in range(5):
            opened.enter_context(connect(server, source="127.0.0.2"))
        with suppress(OSError):  # refused, and then not even answered by the kernel
            for _ in range(20):
                with connect(server, source="127.0.0.2", patience_s=0.5) as visitor:
                    assert is_closed(visitor)
            pytest.fail("the kernel still takes connections of this address")
        assert is_answering(server)


def test_requests_sent_ahead_wait_until_the_answers_are_read(real_rig: Rig) -> None:
    """180 requests for a file, none of whose answers is read: one answer is made, and then the connection is closed."""
    limits = ServerLimits(unread_s=0.5, sweep_s=0.1, send_buffer_bytes=2048)
    request = b"GET /static/css/pages.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answered: list[str] = []
    real_rig.app.before_request(lambda: answered.append("") if flask_request.path.endswith("pages.css") else None)
    with Server(real_rig, limits, real_rig.app) as server:
        with connect(server, request * 180, receive_bytes=1024) as visitor:
            ends_s = time.monotonic() + PATIENCE_S
            while not answered or server.connections:
                assert time.monotonic() < ends_s, "the connection is still open"
                time.sleep(0.02)
            received = b""
            with suppress(ConnectionResetError):
                while data := visitor.recv(1 << 16):
                    received += data
        assert len(answered) == 1 and 0 < len(received) < 28_000
        assert is_answering(server)


SMUGGLED = (
    ("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG", b"400"),
    ("Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", b"501"),
    ("Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}", b"400"),
    ("Content-Length: 2\r\nContent-Length: 44\r\n\r\n{}", b"400"),
    ("Content-Length: +2\r\n\r\n{}", b"400"),
    ("Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n", b"400"),
    ("X: a\rOrigin: http://localhost\r\nContent-Length: 2\r\n\r\n{}", b"400"),
    ("Host: evil.example\r\nContent-Length: 2\r\n\r\n{}", b"400"),
)


@pytest.mark.parametrize(("sent", "status"), SMUGGLED)
def test_a_request_of_two_meanings_is_refused(server: Server, sent: str, status: bytes) -> None:
    """Smuggling: a proxy and the board could take its end to be at different places."""
    head = f"POST {API}/commands/undo HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    with connect(server, f"{head}Content-Type: application/json\r\n{sent}".encode()) as visitor:
        assert re.findall(rb"HTTP/1.[01] (\d+)", visitor.recv(1 << 16)) == [status]


@pytest.mark.parametrize("upgrade", ["websocket", "h2c"])
def test_no_connection_is_upgraded(server: Server, upgrade: str) -> None:
    head = f"GET {API}/state HTTP/1.1\r\nHost: localhost\r\nUpgrade: {upgrade}\r\nConnection: Upgrade\r\n\r\n"
    with connect(server, head.encode()) as visitor:
        assert re.match(rb"HTTP/1.1 (200|400) ", visitor.recv(4096))


def test_a_request_for_many_ranges_is_not_answered_many_times(server: Server) -> None:
    ranges = ",".join(["0-"] * 1000)
    head = f"GET /static/css/pages.css HTTP/1.1\r\nHost: localhost\r\nRange: bytes={ranges}\r\n\r\n"
    with connect(server, head.encode()) as visitor:
        assert b"HTTP/1.1 416" in visitor.recv(4096)


def test_a_malformed_address_is_answered(server: Server) -> None:
    with connect(server, b"GET http://[::1/ HTTP/1.1\r\nHost: localhost\r\n\r\n") as visitor:
        assert b" 400 " in visitor.recv(4096)


def test_requests_sent_ahead_are_answered_in_order(server: Server) -> None:
    first, second, last = (
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\n" for path in (f"{API}/state", "/nothing", "/help")
    )
    with connect(server, f"{first}\r\n{second}\r\n{last}Connection: close\r\n\r\n".encode()) as visitor:
        received = b""
        while data := visitor.recv(1 << 16):
            received += data
    assert re.findall(rb"HTTP/1.1 (\d+)", received) == [b"200", b"404", b"200"]


@pytest.mark.slow
@pytest.mark.parametrize("one_address", ["", "127.0.6.6", SOURCE], ids=["20 addresses", "one address", "the phone's"])
def test_twenty_attackers_do_not_stop_a_paired_phone(tmp_path: Path, one_address: str) -> None:
    """Every kind of attack at once. The phone uses a kept connection and new ones in turn. How long a command takes
    meanwhile is measured by the bench."""
    phone = PairedPhone(tmp_path)
    try:
        phone.send("new-game", BEGIN)
        phone.warm_up()
        before_mib, before_files = phone.program.memory_mib, phone.program.open_files
        with attack(phone.program.port, [*ATTACKS] * 2, seconds=60, one_address=one_address):
            assert phone.delays_s(15)
            assert phone.program.memory_mib - before_mib < MAX_GROWTH_MIB
        until(lambda: phone.program.open_files <= before_files + 1)
        assert phone.delays_s(1)
        assert phone.program.memory_mib - before_mib < MAX_GROWTH_MIB
    finally:
        phone.program.switch_off()


def test_every_test_of_the_threats_exists() -> None:
    tests = Path(__file__).parents[1]
    tried = {name for file in tests.rglob("test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text())}
    manual = (tests.parent / "web_panel" / "THREATS.md").read_text()
    named = set(re.findall(r"`(test_\w+)`", manual))
    assert len(named) > 25 and named <= tried
