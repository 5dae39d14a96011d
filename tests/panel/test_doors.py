"""The first gate: what other pages and other machines may try, and what every answer carries."""

from __future__ import annotations

import re

import pytest

from tests.panel.conftest import API, Room, told
from web_panel.doors import LARGEST_BODY
from web_panel.wishes import WISHES

UNDO = f"{API}/orders/undo"


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "192.168.1.20", "", "[", "evil@localhost", "localhost/"]
)
@pytest.mark.parametrize("path", ["/", f"{API}/state", "/static/panel.css", "/nothing"])
def test_a_foreign_name_is_not_answered_to(room: Room, host: str, path: str) -> None:
    answer = room.get(path, Host=host)
    assert answer.status_code == 400 and "cribboard" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST"])
def test_its_own_names_are_answered_to_on_any_port(room: Room, host: str) -> None:
    assert room.get("/", Host=host).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_orders_from_another_page_are_turned_away(room: Room, headers: dict[str, str]) -> None:
    room.begin()
    room.order("starter", card="5H")
    assert room.post("/orders/undo", headers=headers).status_code == 403
    assert room.state()["deal"]["starter"] == "5♥"


def test_orders_from_its_own_page_are_let_in(room: Room) -> None:
    room.begin()
    room.order("starter", card="5H")
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert room.post("/orders/undo", headers=own).status_code == 200


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", ""])
def test_what_a_form_can_send_is_not_taken(room: Room, kind: str) -> None:
    answer = room.post("/orders/undo", data=b"{}", content_type=kind)
    assert answer.status_code == 415 and "application/json" in told(answer)["detail"]


def test_a_large_body_is_turned_away_unread(room: Room) -> None:
    answer = room.post("/orders/undo", data=b" " * (LARGEST_BODY + 1), content_type="application/json")
    assert answer.status_code == 413


def test_reading_never_changes_anything(room: Room) -> None:
    room.begin()
    before = room.state()
    posts = [f"{API}/orders/{order}" for order in WISHES]
    posts += [f"{API}/hands/lift?sensor=6", f"{API}/hands/place", f"{API}/keys", f"{API}/demo"]
    for path in posts:
        assert room.get(path).status_code == 405
        assert room.phone.head(path).status_code == 405
    for method in ("put", "patch", "delete"):
        assert getattr(room.phone, method)(UNDO, json={}).status_code == 405
    assert room.state() == before


@pytest.mark.parametrize(
    "path", ["/", f"{API}/state", "/static/panel.js", "/nothing", "/boards/classic-61/121/lying.svg"]
)
def test_every_answer_is_sealed(room: Room, path: str) -> None:
    headers = room.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "*" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"


def test_the_page_has_no_script_and_no_style_of_its_own(room: Room) -> None:
    page = room.get("/").text
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert all("src=" in script for script in re.findall(r"<script[^>]*>", page))
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", page)
