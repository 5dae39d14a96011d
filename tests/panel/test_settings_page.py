"""Settings on the panel: for the owner alone, in the words of the settings file, and nothing lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.phones import Role
from firmware_host.settings import SENTENCES
from tests.panel.conftest import API, Guest, Room, told
from web_panel.settings_page import SECTIONS

SETTINGS = f"{API}/settings"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "cribboard.toml"
    file.write_text("# ours\nmanner = 'polite'\n")
    return file


@pytest.fixture
def set_room(file: Path) -> Iterator[Room]:
    room = Room(settings_file=file)
    yield room
    room.host.stop()


def setting(answer: Any, name: str) -> Any:
    return next(entry for entry in answer["settings"] if entry["name"] == name)


def test_every_setting_has_its_place_and_its_control_on_the_page(set_room: Room) -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(SENTENCES)
    page = set_room.get("/settings").text
    assert set(re.findall(r'data-name="(\w+)"', page)) == set(SENTENCES)
    assert '<option value="polite" selected>' in page


def test_a_change_is_kept_and_answered_with_what_counts_now(set_room: Room, file: Path) -> None:
    answer = set_room.post("/settings", {"changes": {"manner": "silent", "port": 8081}})
    assert answer.status_code == 200
    assert setting(told(answer), "manner") | {"value": "silent", "is_said": True} == setting(told(answer), "manner")
    assert not setting(told(answer), "port")["is_at_once"] and setting(told(answer), "manner")["is_at_once"]
    assert file.read_text() == '# ours\nmanner = "silent"\nport = 8081\n'
    assert [now.manner for now in set_room.settings_taken_up] == ["silent"]


def test_what_cannot_be_meant_is_a_refusal_with_its_sentence(set_room: Room, file: Path) -> None:
    before = file.read_text()
    answer = set_room.post("/settings", {"changes": {"settle_s": 99}})
    assert answer.status_code == 409
    sentence = "expected a number from 0.05 to 5.0, got 99; correct it, or leave it out"
    assert told(answer)["message"] == f"{file}, settle_s: {sentence}" and file.read_text() == before


def test_what_cannot_be_kept_is_a_refusal_too(room: Room) -> None:
    answer = room.post("/settings", {"changes": {"port": 8081}})
    assert answer.status_code == 409 and "expected a file that can be written" in told(answer)["message"]
    assert not room.settings_taken_up


def test_a_file_that_cannot_be_meant_is_told_on_the_page(set_room: Room, file: Path) -> None:
    file.write_text("prot = 8081\n")
    assert "did you mean port?" in set_room.get("/settings").text
    assert set_room.get(SETTINGS).status_code == 409


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.OWNER and role is not Role.STRANGER])
def test_only_the_owner_sees_and_changes_them(real_room: Room, role: Role) -> None:
    guest = Guest(real_room).come_in("Ann", role)
    assert guest.get("/settings").status_code == 403 and guest.browser.get("/settings").status_code == 403
    assert guest.post("/settings", {"changes": {"port": 1}}).status_code == 403


def test_watching_is_closed_as_soon_as_the_owner_says_so(file: Path) -> None:
    """The panel asks the desk anew for each visitor."""
    from web_panel.panel import Openness

    open_to = Openness(is_watching_open=lambda: room.desk.running.open_watching)
    room = Room(is_simulated=False, openness=open_to, settings_file=file)
    owner = Guest(room).come_in("Owen", Role.OWNER)
    assert room.get(f"{API}/state").status_code == 200
    assert owner.post("/settings", {"changes": {"open_watching": False}}).status_code == 200
    assert room.get(f"{API}/state").status_code == 403
    room.host.stop()
