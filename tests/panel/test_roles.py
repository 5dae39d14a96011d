"""Every route, every role: what each may, and that nothing was forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from firmware_host.phones import Role
from tests.panel.conftest import OWN_PAGE, Guest, Room
from web_panel.panel import Openness
from web_panel.roles import NEEDED
from web_panel.wishes import WISHES

FILLED = {"filename": "panel.js", "code": "KRTMWX", "board": "classic-61", "target": "121", "posture": "lying"}
FILLED |= {"movement": "lift", "phone": "1f"}


def routes_of(room: Room) -> set[str]:
    return {
        f"{method} {rule.rule}"
        for rule in room.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def path_of(route: str) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: FILLED[found[1]], route.split()[1])


def test_every_route_has_its_role_and_no_role_is_left_over(room: Room) -> None:
    assert routes_of(room) == set(NEEDED)
    assert {f"POST /api/v1/orders/{order}" for order in WISHES} < set(NEEDED)


def test_a_route_that_was_forgotten_is_nobodys(room: Room) -> None:
    room.app.add_url_rule("/forgotten", view_func=lambda: "secret")
    answer = room.get("/forgotten")
    assert answer.status_code == 403 and "secret" not in answer.text


@pytest.fixture
def closed_room() -> Iterator[Room]:
    """A real board where strangers may not even watch."""
    room = Room(is_simulated=False, openness=Openness(is_watching_open=lambda: False))
    yield room
    room.host.stop()


@pytest.mark.parametrize("role", Role)
def test_a_role_may_do_what_is_its_own_and_no_more(closed_room: Room, role: Role) -> None:
    guest = Guest(closed_room)
    body: object
    if role is not Role.STRANGER:
        guest.come_in("Ann", role)
    here = routes_of(closed_room)
    closed_room.host.start()
    for route, needed in NEEDED.items():
        if route in here and route != "POST /api/v1/my/leave":
            method = route.split()[0]
            body = {} if method == "POST" else None
            answer = guest.browser.open(path_of(route), method=method, json=body, headers=OWN_PAGE)
            answer.close()
            is_turned_away = answer.status_code == 403 and "whose role is" in answer.text
            assert is_turned_away is (role < needed), f"{role.name}: {route} {answer.status_code} {answer.text}"


def test_strangers_watch_an_open_board_and_nothing_else(real_room: Room) -> None:
    guest = Guest(real_room)
    assert guest.get("/state").status_code == 200 and guest.get("/phones").status_code == 403
    assert guest.order("undo").status_code == 403


def test_heads_are_turned_as_readings_are(closed_room: Room) -> None:
    assert closed_room.phone.head("/api/v1/state").status_code == 403
    assert closed_room.phone.head("/").status_code == 200
