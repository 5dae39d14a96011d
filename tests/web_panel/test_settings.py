"""Settings on the panel: for the owner alone, with the messages of the settings file, and without loss."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config.settings import SENTENCES
from firmware_host.pairing.registry import Role
from tests.web_panel.conftest import API, PhoneClient, Rig, json_of
from web_panel.pages.setting_texts import SECTIONS, TEXTS

SETTINGS = f"{API}/settings"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "cribboard.toml"
    file.write_text("# ours\nreferee_mode = 'polite'\n")
    return file


@pytest.fixture
def settings_rig(file: Path) -> Iterator[Rig]:
    rig = Rig(settings_file=file)
    yield rig
    rig.host.stop()


def setting(answer: Any, name: str) -> Any:
    return next(entry for entry in answer["settings"] if entry["name"] == name)


def test_every_setting_has_a_section_and_a_control(settings_rig: Rig) -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(SENTENCES) == sorted(TEXTS)
    page = settings_rig.get("/settings").text
    assert set(re.findall(r'data-name="(\w+)"', page)) == set(SENTENCES)
    assert '<input type="radio" name="value" value="polite" checked>' in page


def test_a_change_is_saved_and_answered_with_the_new_values(settings_rig: Rig, file: Path) -> None:
    answer = settings_rig.post("/settings", {"changes": {"referee_mode": "silent", "port": 8081}})
    assert answer.status_code == 200
    assert setting(json_of(answer), "referee_mode") | {"value": "silent", "is_set": True} == setting(
        json_of(answer), "referee_mode"
    )
    assert (
        not setting(json_of(answer), "port")["takes_effect_at_once"]
        and setting(json_of(answer), "referee_mode")["takes_effect_at_once"]
    )
    assert file.read_text() == '# ours\nreferee_mode = "silent"\nport = 8081\n'
    assert [now.referee_mode for now in settings_rig.applied_settings] == ["silent"]


def test_an_invalid_value_is_refused_with_a_message(settings_rig: Rig, file: Path) -> None:
    before = file.read_text()
    answer = settings_rig.post("/settings", {"changes": {"settle_s": 99}})
    assert answer.status_code == 409
    sentence = "expected a number from 0.05 to 5.0, got 99; correct it, or leave it out"
    assert json_of(answer)["message"] == f"{file}, settle_s: {sentence}" and file.read_text() == before
    assert json_of(answer)["localized"] == "From 0.05 to 5. It is still 0.3."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"port": "eighty"}, "From 1 to 65535. It is still 8080."),
        ({"referee_mode": "loud"}, "Choose one of the list. It is still Lights holes."),
        ({"names": ["Bartholomew Smith"]}, "Up to 6 names of 1 to 10 letters each."),
        ({"board": "oak"}, "Choose a board, or a plan file that ends in .toml. It is still Classic 61, 2 tracks."),
        ({"options": {"muggins_mode": "loud"}}, "These rules do not go together."),
        ({"scanner": "auto"}, "A simulated board has no peg reader."),
        ({"simulate": "yes"}, "Choose one of the list. It is still on."),
    ],
)
def test_a_refusal_says_what_the_setting_takes_and_what_it_still_is(
    settings_rig: Rig, changes: dict[str, object], sentence: str
) -> None:
    answer = settings_rig.post("/settings", {"changes": changes})
    assert answer.status_code == 409 and json_of(answer)["name"] == next(iter(changes))
    assert json_of(answer)["localized"].startswith(sentence)


def test_a_refusal_is_in_the_language_of_the_page(settings_rig: Rig) -> None:
    answer = settings_rig.post("/settings?lang=ru", {"changes": {"settle_s": 99}})
    assert json_of(answer)["localized"] == "От 0,05 до 5. Пока остаётся: 0,3."


def test_a_changed_setting_tells_that_a_restart_is_needed(settings_rig: Rig) -> None:
    answer = json_of(settings_rig.post("/settings", {"changes": {"port": 8081, "sound": False}}))
    assert setting(answer, "port")["needs_restart"] and not setting(answer, "sound")["needs_restart"]
    assert not setting(json_of(settings_rig.post("/settings", {"changes": {"port": None}})), "port")["needs_restart"]


def test_a_file_that_cannot_be_written_is_reported_without_its_path(rig: Rig) -> None:
    answer = json_of(rig.post("/settings", {"changes": {"port": 8081}}))
    assert answer["localized"] == "The settings file cannot be written. Nothing has changed."


def test_a_change_that_cannot_be_saved_is_refused(rig: Rig) -> None:
    answer = rig.post("/settings", {"changes": {"port": 8081}})
    assert answer.status_code == 409 and "expected a file that can be written" in json_of(answer)["message"]
    assert not rig.applied_settings


def test_an_error_in_the_file_is_shown_on_the_page(settings_rig: Rig, file: Path) -> None:
    file.write_text("prot = 8081\n")
    assert "did you mean port?" in settings_rig.get("/settings").text
    assert settings_rig.get(SETTINGS).status_code == 409


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.OWNER and role is not Role.STRANGER])
def test_only_the_owner_reads_and_changes_settings(real_rig: Rig, role: Role) -> None:
    phone = PhoneClient(real_rig).pair("Ann", role)
    assert phone.get("/settings").status_code == 403 and phone.client.get("/settings").status_code == 403
    assert phone.post("/settings", {"changes": {"port": 1}}).status_code == 403


def test_closing_watching_takes_effect_at_once(file: Path) -> None:
    """The panel reads the setting for each request."""
    from web_panel.app import AccessPolicy

    policy = AccessPolicy(is_watching_open=lambda: rig.settings_editor.running.open_watching)
    rig = Rig(is_simulated=False, access_policy=policy, settings_file=file)
    owner = PhoneClient(rig).pair("Owen", Role.OWNER)
    assert rig.get(f"{API}/state").status_code == 200
    assert owner.post("/settings", {"changes": {"open_watching": False}}).status_code == 200
    assert rig.get(f"{API}/state").status_code == 403
    rig.host.stop()
