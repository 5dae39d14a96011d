"""The device page: sensors, lights, keys and display as they are now, of a simulated board and of a real one."""

from __future__ import annotations

import pytest

from board_drivers.ports import DriverFault
from firmware_host.phones import Role
from firmware_host.table.entries import TypingDeal
from tests.panel.conftest import API, Guest, Room, told

DEVICE = f"{API}/device"
WELL = dict.fromkeys(("sensors", "lights", "oled", "disk"), (True, 0))


def parts(room: Room) -> dict[str, tuple[bool, int]]:
    return {part["part"]: (part["is_well"], part["failures"]) for part in told(room.get(DEVICE))["parts"]}


def lit(room: Room) -> list[int]:
    """The lights that burn on the board."""
    return [led for led, colour in enumerate(room.board.lights.frame) if any(colour)]


def test_the_page_has_every_hole_and_every_key(real_room: Room) -> None:
    keeper = Guest(real_room).come_in("Ann", Role.KEEPER)
    page = keeper.browser.get("/device").text
    assert page.count("data-sensor=") == len(real_room.host.plan.holes) and page.count("data-legend=") == 16
    assert 'id="oled"' not in page and 'id="display"' in page


def test_the_display_is_a_picture_for_the_owner_of_a_real_board(real_room: Room) -> None:
    owner, keeper = Guest(real_room).come_in("Owen"), Guest(real_room).come_in("Ann", Role.KEEPER)
    assert 'id="oled"' in owner.browser.get("/device").text
    picture = owner.browser.get("/oled.png")
    assert picture.mimetype == "image/png" and picture.data.startswith(b"\x89PNG")
    assert keeper.browser.get("/oled.png").status_code == 403


def test_the_light_wanders_through_every_hole_and_then_the_game_has_its_lights_back(room: Room) -> None:
    room.begin()
    room.wait(0.1)
    before = room.host.snapshot.signals
    assert room.post("/device/lights").status_code == 200
    seen = list[int]()
    for _ in range(len(room.host.plan.holes) * 6):
        room.wait(0.02)
        now = lit(room)
        if room.host.snapshot.signals != before and (not seen or now != [seen[-1]]):
            assert len(now) == 1 and {light["signal"] for light in room.state()["lights"]} == {"test"}
            seen += now
    assert sorted(seen) == sorted(hole.led for hole in room.host.plan.holes)
    assert room.host.snapshot.signals == before


def test_a_turn_of_the_game_ends_the_walk(room: Room) -> None:
    room.begin()
    room.post("/device/lights")
    room.wait(0.5)
    room.order("starter", card="5H")
    assert "test" not in {light["signal"] for light in room.state()["lights"]}


def test_only_a_keeper_may_try_the_lights(real_room: Room) -> None:
    player = Guest(real_room).come_in("Ann", Role.PLAYER)
    assert player.post("/device/lights").status_code == 403 and player.get("/device").status_code == 403


def test_a_part_that_fails_is_named_and_counted_until_it_is_well(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parts(room) == WELL

    def torn(*_: object) -> None:
        raise DriverFault("sensor chain", "its end mark", "noise", "Check the cable.")

    with monkeypatch.context() as broken:
        broken.setattr(room.board.sensors, "scan", torn)
        broken.setattr(room.board.lights, "show", torn)
        room.begin()
        room.wait(0.5)
        assert parts(room) == WELL | {"sensors": (False, 1), "lights": (False, 1)}
        sentence = told(room.get(DEVICE))["parts"][0]["says"]
        assert sentence == "sensor chain: expected its end mark, got noise. Check the cable."
    room.wait(0.5)
    assert parts(room) == WELL | {"sensors": (True, 1), "lights": (True, 1)}


def test_a_display_that_looks_after_itself_says_what_ails_it(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room.board, "ailments", lambda: ("OLED: expected a display, got no answer.",))
    assert parts(room)["oled"] == (False, 0)


def test_each_key_that_works_is_seen(room: Room) -> None:
    for legend in ("5", "ENTER", "5"):
        room.board.tap(legend)
        room.wait(0.1)
    assert told(room.get(DEVICE))["presses"] == {"5": 2, "ENTER": 1}


def test_keys_that_type_a_hand_for_advice_are_nobodys_business(room: Room) -> None:
    room.begin()
    room.host._entry = TypingDeal(own_crib=True)
    for legend in ("5", "J"):
        room.board.tap(legend)
        room.wait(0.1)
    assert told(room.get(DEVICE))["presses"] == {}
