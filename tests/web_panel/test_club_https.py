"""The pages of a club with HTTPS: the screen of the room in clear, accounts encrypted."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from werkzeug.test import TestResponse

from firmware_host.club_server.accounts import AccountRole
from tests.free_port import free_port
from tests.web_panel.club_rig import PASSWORD, ClubRig, post
from web_panel.club.access import COOKIE, REQUIRED_ROLES
from web_panel.club.app import create_club
from web_panel.security.https import AUTHORITY, TRUST_PAGE

NAME = "club.test"
IN_CLEAR = {"/", "/room", TRUST_PAGE, AUTHORITY, "/static/<path:filename>", "/styles/<names>.css"}


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[ClubRig]:
    rig = ClubRig(tmp_path)
    rig.app = create_club(rig.file, rig.accounts, f"http://{NAME}/", frozenset({NAME, "localhost"}), lambda: b"DER")
    with closing(rig.file):
        yield rig


def ask(rig: ClubRig, scheme: str, method: str, path: str, **options: Any) -> TestResponse:
    """The answer to a phone in the room."""
    phone, headers = rig.app.test_client(), {"Origin": f"{scheme}://{NAME}"}
    sender = {"REMOTE_ADDR": "192.168.1.9"}
    return phone.open(
        path, method=method, base_url=f"{scheme}://{NAME}", headers=headers, environ_overrides=sender, **options
    )


@pytest.mark.parametrize("route", [route for route in REQUIRED_ROLES if route.startswith("GET ")])
def test_in_clear_every_page_but_the_room_leads_to_https(rig: ClubRig, route: str) -> None:
    path = route.removeprefix("GET ").replace("<name>", "standings").replace("<int:number>", "1")
    answer = ask(rig, "http", "GET", path)
    if path in IN_CLEAR:
        assert answer.status_code in (200, 404)  # 404: no such file
    else:
        assert answer.status_code == 307
        assert answer.headers["Location"] in (f"{TRUST_PAGE}?{urlencode({'next': path})}", f"https://{NAME}{path}")


def test_a_new_phone_is_shown_how_to_trust_the_club_and_goes_on_to_its_page(rig: ClubRig) -> None:
    client = rig.app.test_client()
    sender = {"REMOTE_ADDR": "192.168.1.9"}
    browser = {"Accept": "text/html"}
    answer = client.get("/login", base_url=f"http://{NAME}", headers=browser, environ_overrides=sender)
    assert answer.headers["Location"].startswith(TRUST_PAGE)
    page = client.get(answer.headers["Location"], base_url=f"http://{NAME}", environ_overrides=sender).text
    assert f'href="https://{NAME}/login"' in page and f'href="{AUTHORITY}"' in page


@pytest.mark.parametrize("route", [route for route in REQUIRED_ROLES if route.startswith("POST ")])
def test_a_command_in_clear_is_refused(rig: ClubRig, route: str) -> None:
    rig.accounts.set("ORGANISER", AccountRole.ORGANISER, PASSWORD)
    path = route.removeprefix("POST ").replace("<name>", "pair")
    body = {"name": "ORGANISER", "password": PASSWORD}
    answer = ask(rig, "http", "POST", path, json=body)
    assert answer.status_code == 403 and COOKIE not in answer.headers.get("Set-Cookie", "")


def test_a_log_in_over_https_is_never_sent_in_clear(rig: ClubRig) -> None:
    rig.accounts.set("ORGANISER", AccountRole.ORGANISER, PASSWORD)
    body = {"name": "ORGANISER", "password": PASSWORD}
    answer = ask(rig, "https", "POST", "/api/v1/login", json=body)
    assert answer.status_code == 204 and "Secure" in answer.headers["Set-Cookie"]


def test_on_the_clubs_own_computer_nothing_changes(rig: ClubRig) -> None:
    client = rig.app.test_client()
    rig.accounts.set("ORGANISER", AccountRole.ORGANISER, PASSWORD)
    assert post(client, "login", name="ORGANISER", password=PASSWORD).status_code == 204
    assert client.get("/organiser").status_code == 200


@pytest.fixture
def served_port(tmp_path: Path) -> Iterator[int]:
    """The port of `cribboard club serve` with HTTPS."""
    pytest.importorskip("cryptography", reason="certificates need cryptography")
    port = free_port()
    environ = os.environ | {
        "CRIBBOARD_STATE_FOLDER": str(tmp_path),
        "CRIBBOARD_HTTPS": "true",
        "CRIBBOARD_NAMES_ON_LAN": NAME,
    }
    command = [sys.executable, "-m", "firmware_host", "club", "serve", "--port", str(port)]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert "http" in process.stdout.readline()
        yield port
        process.terminate()


def test_the_server_of_a_club_speaks_both_on_one_port(served_port: int, tmp_path: Path) -> None:
    (authority,) = tmp_path.rglob("authority.pem")
    trusting = ssl.create_default_context(cafile=str(authority))
    request = f"GET /login HTTP/1.1\r\nHost: {NAME}:{served_port}\r\nConnection: close\r\n\r\n"
    plain = socket.create_connection(("127.0.0.1", served_port), timeout=60)
    with trusting.wrap_socket(plain, server_hostname=NAME) as secure:
        secure.sendall(request.encode())
        assert secure.recv(100).startswith(b"HTTP/1.1 200 ")
    for path, status in (("/room", 200), ("/organiser", 307)):
        clear = HTTPConnection("127.0.0.1", served_port, timeout=60)
        clear.request("GET", path, headers={"Host": f"{NAME}:{served_port}"})
        assert clear.getresponse().status == status
        clear.close()
