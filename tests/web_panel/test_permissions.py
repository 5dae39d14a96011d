"""Every route with every role."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game.commands import StartGame
from firmware_host.pairing.registry import Role
from tests.web_panel.conftest import OWN_PAGE, PhoneClient, Rig
from web_panel.api.commands import COMMANDS
from web_panel.app import AccessPolicy
from web_panel.security.permissions import REQUIRED_ROLES

HISTORY_PATHS = (
    "/history",
    "/history.csv",
    "/history.json",
    "/players.csv",
    "/scorecards",
    "/scorecards.csv",
    "/review",
)

PATH_VALUES = {
    "filename": "pages/board.js",
    "names": "tokens-base",
    "code": "KRTMWX",
    "board": "classic-61",
    "target": "121",
    "orientation": "landscape",
}
PATH_VALUES |= {"movement": "lift", "phone": "1f", "game": "1", "seat": "1", "deal": "1"}


def routes_of(rig: Rig) -> set[str]:
    return {
        f"{method} {rule.rule}"
        for rule in rig.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def path_of(route: str) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: PATH_VALUES[found[1]], route.split()[1])


def test_routes_and_required_roles_match(rig: Rig) -> None:
    assert routes_of(rig) == set(REQUIRED_ROLES)
    assert {f"POST /api/v1/commands/{command}" for command in COMMANDS} < set(REQUIRED_ROLES)


def test_a_route_without_a_required_role_is_refused(rig: Rig) -> None:
    rig.app.add_url_rule("/forgotten", view_func=lambda: "secret")
    answer = rig.get("/forgotten")
    assert answer.status_code == 403 and "secret" not in answer.text


@pytest.fixture
def closed_rig() -> Iterator[Rig]:
    """A real board where strangers may not even watch."""
    rig = Rig(is_simulated=False, access_policy=AccessPolicy(is_watching_open=lambda: False))
    yield rig
    rig.host.stop()


@pytest.mark.parametrize("role", Role)
def test_each_role_may_use_exactly_its_routes(closed_rig: Rig, role: Role) -> None:
    phone = PhoneClient(closed_rig)
    body: object
    if role is not Role.STRANGER:
        phone.pair("Ann", role)
    here = routes_of(closed_rig)
    closed_rig.host.start()
    for route, needed in REQUIRED_ROLES.items():
        if route in here and route != "POST /api/v1/me/leave":
            method = route.split()[0]
            body = {} if method == "POST" else None
            answer = phone.client.open(path_of(route), method=method, json=body, headers=OWN_PAGE)
            answer.close()
            is_refused = answer.status_code == 403 and "whose role is" in answer.text
            assert is_refused is (role < needed), f"{role.name}: {route} {answer.status_code} {answer.text}"


def test_strangers_can_only_watch_an_open_board(real_rig: Rig) -> None:
    phone = PhoneClient(real_rig)
    assert phone.get("/state").status_code == 200 and phone.get("/phones").status_code == 403
    assert phone.send("undo").status_code == 403


def test_head_needs_the_same_role_as_get(closed_rig: Rig) -> None:
    assert closed_rig.client.head("/api/v1/state").status_code == 403
    assert closed_rig.client.head("/").status_code == 200


def test_strangers_see_past_games_only_where_the_owner_allows_it() -> None:
    is_open = [False]
    rig = Rig(is_simulated=False, access_policy=AccessPolicy(is_history_open=lambda: is_open[0]))
    try:
        paired, stranger = PhoneClient(rig).pair("Ann"), PhoneClient(rig)
        rig.host.execute(StartGame(rules_for("six_card"), ("Ann", "Ben"), dealer=Seat(0)))
        rig.wait(0.1)
        paths = (*HISTORY_PATHS, "/api/v1/games/1/replay")
        assert {stranger.client.get(path).status_code for path in paths} == {403}
        assert stranger.client.get("/api/v1/games/current/replay").status_code == 200
        assert "/history" not in stranger.client.get("/").text
        assert 403 not in {paired.client.get(path).status_code for path in paths}
        is_open[0] = True
        assert 403 not in {stranger.client.get(path).status_code for path in paths}
    finally:
        rig.host.stop()
