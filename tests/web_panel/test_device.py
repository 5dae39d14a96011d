"""The device page: sensors, lights, keys and display as they are now, of a simulated board and of a real one."""

from __future__ import annotations

import pytest

from board_drivers.ports import DriverError
from firmware_host.pairing.registry import Role
from firmware_host.ui.keys.input_state import TypingDeal
from firmware_host.ui.voice import Asked, AskVoice, VoiceRequest
from tests.web_panel.conftest import API, PhoneClient, Rig, json_of
from web_panel.pages import device

DEVICE = f"{API}/device"
WELL = dict.fromkeys(("sensors", "lights", "oled", "disk"), (True, 0))


def parts(rig: Rig) -> dict[str, tuple[bool, int]]:
    return {part["part"]: (part["is_ok"], part["failures"]) for part in json_of(rig.get(DEVICE))["parts"]}


def lit(rig: Rig) -> list[int]:
    """The lights that are on."""
    return [led for led, colour in enumerate(rig.board.lights.frame) if any(colour)]


def test_the_page_has_every_hole_and_every_key(real_rig: Rig) -> None:
    keeper = PhoneClient(real_rig).pair("Ann", Role.KEEPER)
    page = keeper.client.get("/device").text
    assert page.count("data-sensor=") == len(real_rig.host.plan.holes) and page.count("data-legend=") == 16
    assert 'id="oled"' not in page and 'id="display"' in page


def test_the_display_is_a_picture_for_the_owner_of_a_real_board(real_rig: Rig) -> None:
    owner, keeper = PhoneClient(real_rig).pair("Owen"), PhoneClient(real_rig).pair("Ann", Role.KEEPER)
    assert 'id="oled"' in owner.client.get("/device").text
    picture = owner.client.get("/oled.png")
    assert picture.mimetype == "image/png" and picture.data.startswith(b"\x89PNG")
    assert keeper.client.get("/oled.png").status_code == 403


def test_the_light_test_lights_every_hole_once_and_ends(rig: Rig) -> None:
    rig.begin()
    rig.wait(0.1)
    before = rig.host.snapshot.signals
    assert rig.post("/device/lights").status_code == 200
    seen = list[int]()
    for _ in range(len(rig.host.plan.holes) * 6):
        rig.wait(0.02)
        now = lit(rig)
        if rig.host.snapshot.signals != before and (not seen or now != [seen[-1]]):
            assert len(now) == 1 and {light["signal"] for light in rig.state()["lights"]} == {"test"}
            seen += now
    assert sorted(seen) == sorted(hole.led for hole in rig.host.plan.holes)
    assert rig.host.snapshot.signals == before


def test_a_turn_of_the_game_ends_the_light_test(rig: Rig) -> None:
    rig.begin()
    rig.post("/device/lights")
    rig.wait(0.5)
    rig.command("starter", card="5H")
    assert "test" not in {light["signal"] for light in rig.state()["lights"]}


def test_only_a_keeper_may_test_the_lights(real_rig: Rig) -> None:
    player = PhoneClient(real_rig).pair("Ann", Role.PLAYER)
    assert player.post("/device/lights").status_code == 403 and player.get("/device").status_code == 403


def test_failures_are_reported_and_counted_until_they_end(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parts(rig) == WELL

    def torn(*_: object) -> None:
        raise DriverError("sensor chain", "its end mark", "noise", "Check the cable.")

    with monkeypatch.context() as broken:
        broken.setattr(rig.board.sensors, "scan", torn)
        broken.setattr(rig.board.lights, "show", torn)
        rig.begin()
        rig.wait(0.5)
        assert parts(rig) == WELL | {"sensors": (False, 1), "lights": (False, 1)}
        part = json_of(rig.get(DEVICE))["parts"][0]
        assert part["status"] == "The holes cannot be read. Check the cable to the board."
        assert part["detail"] == "sensor chain: expected its end mark, got noise. Check the cable."
    rig.wait(0.5)
    assert parts(rig) == WELL | {"sensors": (True, 1), "lights": (True, 1)}


def test_the_display_reports_its_own_fault(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rig.board, "faults", lambda: ("OLED: expected a display, got no answer.",))
    assert parts(rig)["oled"] == (False, 0)


def test_key_presses_are_counted(rig: Rig) -> None:
    for legend in ("5", "ENTER", "5"):
        rig.board.tap(legend)
        rig.wait(0.1)
    assert json_of(rig.get(DEVICE))["presses"] == {"5": 2, "ENTER": 1}


def test_keys_typed_for_advice_are_not_counted(rig: Rig) -> None:
    rig.begin()
    rig.host._parts.keypad.input_state = TypingDeal(own_crib=True)
    for legend in ("5", "J"):
        rig.board.tap(legend)
        rig.wait(0.1)
    assert json_of(rig.get(DEVICE))["presses"] == {}


def test_a_faulty_hole_is_named_with_its_sensor(rig: Rig) -> None:
    """A peg that is lost and found again and again stands in a weak hole."""
    rig.begin()
    assert json_of(rig.get(DEVICE))["hole_faults"] == []
    sensor = rig.sensor(0, 0)
    for _ in range(6):
        rig.board.lift_peg(sensor)
        rig.wait(0.06)
        rig.board.place_peg(sensor)
        rig.wait(0.7)
    (fault,) = json_of(rig.get(f"{DEVICE}?lang=pl"))["hole_faults"]
    assert fault["kind"] == "weak_hole" and fault["sensors"] == [sensor]
    assert fault["text"] == "Dziurka czerwony 0 słabnie. Można grać."


def test_a_keeper_lets_the_board_speak(real_rig: Rig) -> None:
    PhoneClient(real_rig).pair("Owen")  # the first phone stays the owner
    player, keeper = PhoneClient(real_rig).pair("Ann", Role.PLAYER), PhoneClient(real_rig).pair("Ben", Role.KEEPER)
    assert player.post("/device/voice").status_code == 403
    assert keeper.post("/device/voice").status_code == 200
    assert real_rig.host.snapshot.asked == Asked(1, VoiceRequest.TEST)


def test_the_page_says_whether_the_voice_is_heard(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "language_now", lambda: "en")

    def voice(fault: str) -> tuple[object, object, object]:
        parts = device.device_json(rig.host, lambda: fault)["parts"]
        assert isinstance(parts, list)
        return parts[-1]["is_ok"], parts[-1]["status"], parts[-1]["detail"]

    assert voice("") == (True, "off", "")
    rig.host.execute(AskVoice(VoiceRequest.REPEAT))
    rig.wait(0.1)
    assert voice("") == (True, "works", "")
    assert voice("no sound device") == (
        *(False, "The board cannot be heard. You can play without its voice.", "no sound device"),
    )
