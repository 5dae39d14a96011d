"""The set-up wizard on the page: each step by requests, who may use it, and what others see of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_host.club_server.broker import settings_for_board
from firmware_host.https.signing import new_authority
from firmware_host.pairing.registry import Role
from firmware_host.ui.pairing_prompt import AcceptPhone
from firmware_host.ui.wizard.wizard import KEYS, in_playing_order
from firmware_host.ui.wizard_commands import MarkHole, OpenWizard, Step
from tests.web_panel.conftest import API, PhoneClient, Rig, json_of

SETUP = f"{API}/setup"
REACHABLE = "http://192.168.1.5:8080/"


@pytest.fixture
def setup_rig(tmp_path: Path) -> Iterator[Rig]:
    """A simulated board with a settings file, whose wizard was opened."""
    rig = Rig(settings_file=tmp_path / "cribboard.toml")
    rig.post("/setup/open")
    yield rig
    rig.host.stop()


def now(rig: Rig, language: str = "en") -> Any:
    rig.wait(0.1)
    return json_of(rig.get(f"{SETUP}?lang={language}"))


def go_to(rig: Rig, step: Step) -> Any:
    assert rig.post("/setup/step", {"step": step.value}).status_code == 200
    return now(rig)


def press(rig: Rig, action: dict[str, Any]) -> Any:
    """Send what a button stands for; the state that follows."""
    answer = rig.post(f"/{action['path']}", action["body"])
    assert answer.status_code == 200, answer.text
    return now(rig)


def choice(state: Any, label: str) -> Any:
    return next(each for each in state["screen"]["choices"] if each["label"] == label)


def test_the_wizard_is_opened_on_the_page(rig: Rig) -> None:
    closed = now(rig)
    assert not closed["is_open"] and rig.state()["setup"] is None
    assert press(rig, closed["screen"]["primary"])["progress"] == {"step": "language", "number": 1, "of": 10}
    assert rig.state()["setup"] == {"step": "language", "number": 1, "of": 10}


def test_every_step_has_one_sentence_and_ways_back_and_past_it(setup_rig: Rig) -> None:
    for number, step in enumerate(Step):
        screen = go_to(setup_rig, step)["screen"]
        assert screen["headline"].endswith((".", "?"))
        assert (screen["back"] is None) is (number == 0)
        if step is not Step.GAME:
            goes_on = screen["primary"] and screen["primary"]["path"] == "setup/step"
            assert screen["skip"] or goes_on, step
            assert screen["primary"] or screen["waits_for"], step


@pytest.mark.parametrize("language", ["en", "fr", "ru", "pl"])
def test_every_step_has_a_page_in_each_language(setup_rig: Rig, language: str) -> None:
    for step in Step:
        go_to(setup_rig, step)
        page = setup_rig.get(f"/setup?lang={language}")
        assert page.status_code == 200 and now(setup_rig, language)["screen"]["headline"] in page.text


def test_the_language_is_saved_and_leads_to_the_names(setup_rig: Rig) -> None:
    assert now(setup_rig, "pl")["screen"]["primary"]["label"] == "Dalej po polsku"
    assert setup_rig.post("/settings", {"changes": {"language": "pl"}}).status_code == 200
    assert press(setup_rig, now(setup_rig)["screen"]["primary"])["progress"]["step"] == "names"
    assert setup_rig.applied_settings[-1].language == "pl"


def test_the_names_are_those_of_the_settings(setup_rig: Rig) -> None:
    assert go_to(setup_rig, Step.NAMES)["names"] == ["Ann", "Ben"]
    assert setup_rig.post("/settings", {"changes": {"names": ["Cat", "Dan"]}}).status_code == 200
    assert setup_rig.applied_settings[-1].names == ("Cat", "Dan")


def test_the_board_that_was_found_is_named_with_its_parts(setup_rig: Rig) -> None:
    state = go_to(setup_rig, Step.BOARD)
    assert state["screen"]["headline"] == "Found: Classic 61, 2 tracks."
    assert [part["is_ok"] for part in state["parts"]] == [True] * 4


def test_a_peg_in_the_lit_hole_leads_to_the_next(setup_rig: Rig) -> None:
    state = go_to(setup_rig, Step.SENSORS)
    first, second, *_ = in_playing_order(setup_rig.host.plan)
    assert state["hole"] == first.sensor
    assert state["screen"]["headline"] == "Put a peg in the lit hole: red, back start hole."
    assert setup_rig.post("/pegs/lift", {"sensor": first.sensor}).status_code == 204
    state = now(setup_rig)
    assert state["hole"] == second.sensor and state["holes"] == {str(first.sensor): "works"}


def test_a_marked_hole_is_on_the_map_of_the_board(setup_rig: Rig) -> None:
    state = go_to(setup_rig, Step.SENSORS)
    for _ in range(3):
        state = press(setup_rig, choice(state, "It does not answer"))
    results = state["holes"]
    assert sorted(results.values()) == ["dead", "stuck", "stuck"], "pegs stand in the start holes"
    faults = json_of(setup_rig.get(f"{API}/device"))["hole_faults"]
    assert {str(sensor) for fault in faults for sensor in fault["sensors"]} == set(results)
    setup_rig.post("/setup/close")
    assert len(json_of(setup_rig.get(f"{API}/device"))["hole_faults"]) == 3


def test_the_marked_holes_are_named_at_the_end_of_the_step(setup_rig: Rig) -> None:
    go_to(setup_rig, Step.SENSORS)
    for hole in in_playing_order(setup_rig.host.plan):
        setup_rig.host.execute(MarkHole(hole.sensor))
    assert now(setup_rig)["progress"]["step"] == "lights"
    state = go_to(setup_rig, Step.SENSORS)
    assert state["screen"]["detail"].startswith("These do not answer: red, back start hole, red, start hole, red 1")
    assert press(setup_rig, choice(state, "Try again"))["holes"] == {}


def test_each_colour_is_answered(setup_rig: Rig) -> None:
    state = go_to(setup_rig, Step.LIGHTS)
    for label in ("I see red", "I see green"):
        assert state["screen"]["primary"]["label"] == label
        state = press(setup_rig, state["screen"]["primary"])
    state = press(setup_rig, choice(state, "Some do not"))
    assert state["progress"]["step"] == "keys"
    assert go_to(setup_rig, Step.LIGHTS)["screen"]["detail"].startswith("Some lights stay dark.")


def test_pressed_keys_are_shown_and_the_last_leads_on(setup_rig: Rig) -> None:
    go_to(setup_rig, Step.KEYS)
    setup_rig.board.tap("5")
    state = now(setup_rig)
    assert state["keys"] == ["5"] and state["screen"]["detail"] == "Keys that work: 1 of 16"
    for key in KEYS:
        setup_rig.board.tap(key)
    assert now(setup_rig)["progress"]["step"] == "sound"


def test_both_sounds_are_answered(setup_rig: Rig) -> None:
    state = go_to(setup_rig, Step.SOUND)
    assert len(setup_rig.board.sounder.played) == 1
    press(setup_rig, choice(state, "Play it again"))
    assert len(setup_rig.board.sounder.played) == 2
    state = press(setup_rig, choice(state, "I hear nothing"))
    assert state["question"] == "page"
    assert press(setup_rig, state["screen"]["primary"])["progress"]["step"] == "phone"
    assert go_to(setup_rig, Step.SOUND)["screen"]["detail"].startswith("The board stays silent.")


def test_a_phone_that_scans_the_code_leads_to_the_next_step(setup_rig: Rig) -> None:
    assert go_to(setup_rig, Step.PHONE)["screen"]["headline"].startswith("Phones cannot reach this board yet")
    setup_rig.host._context.setup = replace(setup_rig.host.setup, address=REACHABLE)
    state = now(setup_rig)
    code = setup_rig.host.pairing.pairing_state().code
    assert code in state["screen"]["detail"] and state["qr"].startswith("data:image/svg+xml")
    phone = PhoneClient(setup_rig)
    secret = json_of(phone.post("/pairing/request", {"name": "Ann", "code": code}))["secret"]
    assert now(setup_rig)["screen"]["headline"] == "Ann asks to join."
    setup_rig.host.pairing.do(AcceptPhone())
    assert phone.post("/pairing/token", {"secret": secret}).status_code == 200
    state = now(setup_rig)
    assert state["progress"]["step"] == "broker" and not setup_rig.host.pairing.pairing_state().code
    assert "Added: Ann." in go_to(setup_rig, Step.PHONE)["screen"]["headline"]


def test_the_last_step_begins_the_first_game(setup_rig: Rig) -> None:
    state = go_to(setup_rig, Step.GAME)
    assert state["screen"]["detail"] == "Ann and Ben, to 121 points."
    setup_rig.command("new-game", **state["first_game"])
    assert not now(setup_rig)["is_open"] and setup_rig.state()["sides"][0]["name"] == "Ann"


def test_the_pairing_code_is_for_the_owner_alone(setup_rig: Rig) -> None:
    setup_rig.host._context.setup = replace(setup_rig.host.setup, address=REACHABLE)
    go_to(setup_rig, Step.PHONE)
    code = setup_rig.host.pairing.pairing_state().code
    assert code and code not in setup_rig.get(f"{API}/state").text


def test_two_browsers_that_press_together_skip_nothing(setup_rig: Rig) -> None:
    primary = go_to(setup_rig, Step.BOARD)["screen"]["primary"]
    press(setup_rig, primary)
    assert press(setup_rig, primary)["progress"]["step"] == "sensors"
    red = go_to(setup_rig, Step.LIGHTS)["screen"]["primary"]
    press(setup_rig, red)
    assert press(setup_rig, red)["question"] == "green"


def test_requests_of_another_step_or_a_closed_wizard_are_refused(rig: Rig) -> None:
    answer = rig.post("/setup/step?lang=pl", {"step": "keys"})
    assert answer.status_code == 409 and json_of(answer)["kind"] == "wizard_closed"
    assert json_of(answer)["localized"].startswith("Konfiguracja jest zamknięta.")
    rig.post("/setup/open")
    assert rig.post("/setup/hole", {"sensor": 1}).status_code == 409
    assert rig.post("/setup/step", {"step": "dance"}).status_code == 400
    assert rig.post("/setup/wiring").status_code == 409, "a simulated board has no wiring"


def test_others_see_that_the_board_is_being_set_up(setup_rig: Rig) -> None:
    guidance = setup_rig.state()["guidance"]
    assert guidance["headline"] == "The board is being set up." and guidance["topic"] == "setup"


def test_the_wizard_takes_over_from_a_game_and_gives_it_back(rig: Rig) -> None:
    rig.begin()
    rig.post("/setup/open")
    go_to(rig, Step.SENSORS)
    assert rig.get("/").status_code == 200
    rig.board.place_peg(rig.sensor(0, 20))
    rig.wait(1)
    rig.post("/setup/close")
    rig.wait(0.1)
    state = rig.state()
    assert state["setup"] is None and [side["score"] for side in state["sides"]] == [0, 0]
    rig.leap(0, -1, 5)
    assert rig.state()["sides"][0]["score"] == 5


@pytest.fixture
def first_start(tmp_path: Path) -> Iterator[Rig]:
    """A real board at its first start."""
    rig = Rig(is_simulated=False, settings_file=tmp_path / "cribboard.toml")
    rig.host.execute(OpenWizard())
    rig.wait(0.1)
    yield rig
    rig.host.stop()


LAN = {"REMOTE_ADDR": "192.168.1.9"}


def test_at_the_first_start_the_main_page_leads_the_owner_to_the_wizard(first_start: Rig) -> None:
    owner = PhoneClient(first_start).pair("Ann")
    assert owner.client.get("/", environ_base=LAN).headers["Location"] == "/setup"
    assert owner.client.get("/setup", environ_base=LAN).status_code == 200
    stranger = PhoneClient(first_start)
    assert "This board is not set up yet." in stranger.client.get("/", environ_base=LAN).text
    assert stranger.client.get("/setup", environ_base=LAN).status_code == 403


def test_the_boards_own_computer_may_set_it_up_before_the_first_game(first_start: Rig) -> None:
    """Also while a phone is the owner: the first phone is added in the wizard itself."""
    PhoneClient(first_start).pair("Ann")
    assert first_start.client.get("/setup").status_code == 200
    relayed = {"X-Forwarded-For": "192.168.1.9"}
    assert first_start.client.get("/setup", headers=relayed).status_code == 403
    first_start.begin()
    assert first_start.client.get("/setup").status_code == 403


@pytest.mark.parametrize("role", [Role.VIEWER, Role.PLAYER, Role.KEEPER])
def test_nobody_below_the_owner_may_use_the_wizard(first_start: Rig, role: Role) -> None:
    PhoneClient(first_start).pair("Ann")
    phone = PhoneClient(first_start).pair("Ben", role)
    answer = phone.client.get("/api/v1/setup", environ_base=LAN)
    assert answer.status_code == 403


def test_the_device_page_leads_the_owner_to_the_wizard(rig: Rig) -> None:
    assert 'href="/setup"' in rig.get("/device").text
    keeper = PhoneClient(rig).pair("Ann", Role.KEEPER)
    assert 'href="/setup"' not in keeper.client.get("/device", environ_base=LAN).text


def test_a_board_joins_a_club_by_the_files_of_a_stick(tmp_path: Path) -> None:
    begins = datetime(2026, 1, 1, tzinfo=UTC)
    certificate = new_authority("a club", begins, begins + timedelta(days=3650)).certificate_pem.decode()
    of_club = settings_for_board("table-3", "organiser.local", 8883, "club-ca.pem")
    files = {"cribboard.toml": of_club, "mqtt-password": "secret\n", "club-ca.pem": certificate}
    own = f'state_folder = "{tmp_path / "state"}"\n'
    settings_file = tmp_path / "cribboard.toml"
    settings_file.write_text(own)
    rig = Rig(settings_file=settings_file)
    for wrong, name in (
        ({**files, "club-ca.pem": "no certificate"}, "club-ca.pem"),
        ({**files, "cribboard.toml": f"simulate = true\n{of_club}"}, "cribboard.toml"),
        ({"cribboard.toml": of_club}, "mqtt-password"),
    ):
        refused = rig.post("/setup/club", {"files": wrong})
        assert refused.status_code == 409 and f"damaged: {name}." in json_of(refused)["localized"]
    assert settings_file.read_text() == own and not (tmp_path / "state").exists()

    answer = rig.post("/setup/club", {"files": files})
    assert answer.status_code == 200, answer.text
    joined = rig.settings_editor.next_settings
    assert (joined.mqtt_host, joined.mqtt_board, joined.mqtt_tls) == ("organiser.local", "table-3", True)
    password = Path(joined.mqtt_password_file)
    assert password.read_text() == "secret\n" and password.stat().st_mode & 0o777 == 0o600
    assert Path(joined.mqtt_ca).read_text() == certificate
    rig.host.stop()
