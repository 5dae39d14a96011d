"""The request guard: host names, origins, content types, sizes, and the headers of every answer."""

from __future__ import annotations

import re

import pytest

from tests.web_panel.conftest import API, Rig, json_of
from web_panel.api.commands import COMMANDS
from web_panel.security.request_guard import MAX_BODY_BYTES

UNDO = f"{API}/commands/undo"


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "192.168.1.20", "", "[", "evil@localhost", "localhost/"]
)
@pytest.mark.parametrize("path", ["/", f"{API}/state", "/static/css/base.css", "/nothing"])
def test_a_foreign_host_is_refused(rig: Rig, host: str, path: str) -> None:
    answer = rig.get(path, Host=host)
    assert answer.status_code == 400 and "cribboard" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST"])
def test_own_host_names_are_accepted_on_any_port(rig: Rig, host: str) -> None:
    assert rig.get("/", Host=host).status_code == 200


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
def test_commands_from_another_page_are_refused(rig: Rig, headers: dict[str, str]) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    assert rig.post("/commands/undo", headers=headers).status_code == 403
    assert rig.state()["deal"]["starter"] == "5♥"


def test_commands_from_the_own_page_are_accepted(rig: Rig) -> None:
    rig.begin()
    rig.command("starter", card="5H")
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert rig.post("/commands/undo", headers=own).status_code == 200


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", ""])
def test_content_types_of_forms_are_refused(rig: Rig, kind: str) -> None:
    answer = rig.post("/commands/undo", data=b"{}", content_type=kind)
    assert answer.status_code == 415 and "application/json" in json_of(answer)["detail"]


def test_a_large_body_is_refused_unread(rig: Rig) -> None:
    answer = rig.post("/commands/undo", data=b" " * (MAX_BODY_BYTES + 1), content_type="application/json")
    assert answer.status_code == 413


def test_get_never_changes_anything(rig: Rig) -> None:
    rig.begin()
    before = rig.state()
    posts = [f"{API}/commands/{command}" for command in COMMANDS]
    posts += [f"{API}/pegs/lift?sensor=6", f"{API}/pegs/place", f"{API}/keys", f"{API}/demo"]
    for path in posts:
        assert rig.get(path).status_code == 405
        assert rig.client.head(path).status_code == 405
    for method in ("put", "patch", "delete"):
        assert getattr(rig.client, method)(UNDO, json={}).status_code == 405
        assert getattr(rig.client, method)(UNDO).status_code == 405
    assert rig.state() == before


def test_a_path_or_a_method_without_a_route_is_refused_as_such_whatever_its_body(rig: Rig) -> None:
    assert rig.client.post("/nothing", data=b"x").status_code == 404
    refused = rig.client.post("/history", data=b"x")
    assert refused.status_code == 405 and set(refused.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


@pytest.mark.parametrize(
    "path", ["/", f"{API}/state", "/static/pages/board.js", "/nothing", "/boards/classic-61/121/landscape.svg"]
)
def test_every_answer_has_the_security_headers(rig: Rig, path: str) -> None:
    headers = rig.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "*" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"


def test_the_page_has_no_inline_script_and_no_inline_style(rig: Rig) -> None:
    page = rig.get("/").text
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert all("src=" in script for script in re.findall(r"<script[^>]*>", page))
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", page)
