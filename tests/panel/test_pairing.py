"""How a phone comes in: knocked, let in at the board, token picked up; and how it goes again."""

from __future__ import annotations

import pytest

from firmware_host.phones import Role
from firmware_host.porch import WRONG_CODES
from firmware_host.table.door import LetIn, OpenDoor, TurnAway
from tests.panel.conftest import API, Guest, Room, told
from web_panel.visitors import COOKIE


def open_door(room: Room) -> str:
    room.host.porch.do(OpenDoor())
    return room.host.porch.door().code


def test_a_phone_comes_in_by_the_keys_of_the_board(real_room: Room) -> None:
    board, guest = real_room.board, Guest(real_room)
    knocked = guest.post("/pairing/knock", {"name": "Ann", "code": open_door(real_room)})
    knock = told(knocked)["knock"]
    assert guest.post("/pairing/pick-up", {"knock": knock}).status_code == 202
    real_room.wait(1.1)
    assert real_room.state()["prompt"] == "Let Ann in?"
    board.keypad.move("ENTER", down=True)
    real_room.wait(0.1)
    admitted = guest.post("/pairing/pick-up", {"knock": knock})
    assert told(admitted)["phone"]["name"] == "Ann" and told(admitted)["phone"]["role"] == "owner"
    assert told(guest.get("/my"))["phone"]["name"] == "Ann"


def test_who_walks_away_waits_no_more(real_room: Room) -> None:
    guest = Guest(real_room)
    knock = told(guest.post("/pairing/knock", {"name": "Eve", "code": open_door(real_room)}))["knock"]
    assert guest.post("/pairing/walk-away", {"knock": knock}).status_code == 204
    assert not real_room.host.porch.door().knocking
    assert told(guest.post("/pairing/pick-up", {"knock": knock}))["kind"] == "not_let_in"


def test_the_token_is_for_no_script_and_no_other_site(real_room: Room) -> None:
    guest = Guest(real_room)
    guest.come_in("Ann")
    cookie = guest.browser.get_cookie(COOKIE)
    assert cookie and cookie.http_only and cookie.same_site == "Strict" and cookie.path == "/" and cookie.origin_only
    assert len(guest.token) >= 40


def test_a_token_is_told_once_and_kept_as_a_hash(real_room: Room) -> None:
    guest = Guest(real_room).come_in("Ann")
    owner = told(guest.get("/phones"))["phones"]
    assert guest.token not in repr(real_room.host.porch.book.phones) and "token" not in repr(owner)


def test_who_is_turned_away_stays_outside(real_room: Room) -> None:
    guest = Guest(real_room)
    knock = told(guest.post("/pairing/knock", {"name": "Eve", "code": open_door(real_room)}))["knock"]
    real_room.host.porch.do(TurnAway())
    answer = guest.post("/pairing/pick-up", {"knock": knock})
    assert (answer.status_code, told(answer)["kind"]) == (409, "turned_away") and not guest.token


def test_the_picture_leads_to_the_page_with_the_code(real_room: Room) -> None:
    for path in ("/IN/KRTMWX", "/in/krtmwx"):
        answer = real_room.get(path)
        assert (answer.status_code, answer.headers["Location"]) == (302, "/#in=KRTMWX")


@pytest.mark.parametrize("code", ["KRTMW", "AEIOUY", "%0d%0aEvil:1", "..%2f..%2f", "//evil.example", "KRTMWX%00"])
def test_no_other_path_leads_anywhere(real_room: Room, code: str) -> None:
    answer = real_room.get(f"/in/{code}")
    assert answer.status_code in (404, 308) and "Evil" not in answer.headers
    assert answer.headers.get("Location", "http://localhost/").startswith("http://localhost/")


@pytest.mark.parametrize("name", ["", " ", "x" * 17, "two\nlines", None, 7])
def test_a_name_fits_the_display(real_room: Room, name: object) -> None:
    answer = Guest(real_room).post("/pairing/knock", {"name": name, "code": open_door(real_room)})
    assert answer.status_code == 400 and told(answer)["detail"].startswith("name: ")


def test_guessing_the_code_locks_the_door_and_says_for_how_long(real_room: Room) -> None:
    code, guest = open_door(real_room), Guest(real_room)
    for guess in range(WRONG_CODES):
        answer = guest.post("/pairing/knock", {"name": "Eve", "code": f"BBBBB{guess}"})
        assert (answer.status_code, told(answer)["kind"]) == (409, "wrong_code")
    locked = guest.post("/pairing/knock", {"name": "Eve", "code": code})
    assert locked.status_code == 429 and 0 < int(locked.headers["Retry-After"]) <= 61
    assert told(locked)["says"].endswith(f"locked for {locked.headers['Retry-After']} s")
    real_room.wait(61)
    knocked = guest.post("/pairing/knock", {"name": "Ann", "code": open_door(real_room)})
    assert knocked.status_code == 200


def test_the_owner_says_who_does_what_and_who_goes(real_room: Room) -> None:
    owner, other = Guest(real_room).come_in("Ann"), Guest(real_room).come_in("Ben")
    ben = told(other.get("/my"))["phone"]["id"]
    assert other.get("/phones").status_code == 403
    assert told(owner.post(f"/phones/{ben}/role", {"role": "keeper"}))["phone"]["role"] == "keeper"
    assert told(other.get("/my"))["role"] == "keeper"
    assert owner.post(f"/phones/{ben}/send-away").status_code == 204
    assert told(other.get("/my"))["role"] == "viewer" and told(other.get("/my"))["phone"] is None
    assert [phone["name"] for phone in told(owner.get("/phones"))["phones"]] == ["Ann"]


def test_the_owner_has_a_page_with_every_phone(real_room: Room) -> None:
    owner, other = Guest(real_room).come_in("Ann"), Guest(real_room).come_in("<b>Ben")
    page = owner.browser.get("/phones").text
    assert "&lt;b&gt;Ben" in page and "<b>Ben" not in page and page.count("data-phone=") == 2
    assert other.browser.get("/phones").status_code == 403


def test_everybody_hears_that_a_phone_came_or_changed_its_seat(real_room: Room) -> None:
    assert (real_room.state()["phones"], real_room.state()["seats"]) == (0, [])
    ann = Guest(real_room).come_in("Ann")
    ann.taken("new-game", variant="six_card", names=["Red", "Blue"], board="classic-61", dealer=0)
    before = real_room.state()["version"]
    ann.post("/my/seat", {"seat": 1})
    state = real_room.state()
    assert state["version"] > before and state["phones"] == 1
    book = real_room.host.porch.book
    book.entrust(book.phones[0].id, Role.KEEPER)
    assert real_room.state()["phone_changes"] > state["phone_changes"]
    assert state["seats"] == [{"name": "Red", "held_by": None}, {"name": "Blue", "held_by": "Ann"}]


def test_a_phone_knows_which_orders_it_may_give(real_room: Room) -> None:
    assert told(Guest(real_room).get("/my"))["may"] == []
    owner, player = Guest(real_room).come_in("Ann"), Guest(real_room).come_in("Ben")
    assert set(told(owner.get("/my"))["may"]) - set(told(player.get("/my"))["may"]) == {"let-it-stand", "correct"}


@pytest.mark.parametrize(("role", "status"), [("king", 400), ("stranger", 400), ("", 400), ("viewer", 200)])
def test_only_roles_that_there_are_are_given(real_room: Room, role: str, status: int) -> None:
    owner = Guest(real_room).come_in("Ann")
    own = told(owner.get("/my"))["phone"]["id"]
    assert owner.post(f"/phones/{own}/role", {"role": role}).status_code == status


def test_a_phone_that_is_nobodys_is_told_so(real_room: Room) -> None:
    answer = Guest(real_room).come_in("Ann").post("/phones/1f/send-away")
    assert (answer.status_code, told(answer)["kind"]) == (409, "no_such_phone")


def test_a_phone_may_leave_by_itself(real_room: Room) -> None:
    guest = Guest(real_room).come_in("Ann")
    token = guest.token
    assert guest.post("/my/leave").status_code == 204 and not guest.token
    assert real_room.host.porch.book.holder_of(token) is None


def test_at_a_simulated_board_a_newcomer_owns_it_and_is_told_so(room: Room) -> None:
    me = told(Guest(room).get("/my"))
    assert (me["role"], me["is_newcomer"], me["phone"]) == ("owner", True, None) and room.state()["newcomer"] is True


def test_a_newcomer_walks_in_with_a_name(room: Room) -> None:
    guest = Guest(room)
    assert told(guest.post("/pairing/walk-in", {"name": "Ann"}))["phone"]["name"] == "Ann"
    assert told(guest.get("/my"))["phone"]["name"] == "Ann" and guest.token


def test_nobody_walks_into_a_real_board(real_room: Room) -> None:
    for guest in (Guest(real_room), Guest(real_room).come_in("Ann")):
        assert guest.post("/pairing/walk-in", {"name": "Eve"}).status_code == 403
    assert real_room.state()["newcomer"] is False


@pytest.mark.parametrize(
    ("environ", "headers"),
    [
        ({"REMOTE_ADDR": "192.168.1.20"}, {}),
        ({"REMOTE_ADDR": "::ffff:192.168.1.20"}, {}),
        ({"REMOTE_ADDR": ""}, {}),
        ({"REMOTE_ADDR": "127.0.0.1"}, {"X-Forwarded-For": "192.168.1.20"}),
        ({"REMOTE_ADDR": "127.0.0.1"}, {"Forwarded": "for=192.168.1.20"}),
    ],
)
def test_who_comes_from_elsewhere_is_no_newcomer(room: Room, environ: dict[str, str], headers: dict[str, str]) -> None:
    answer = room.phone.get(f"{API}/my", environ_overrides=environ, headers=headers)
    assert (told(answer)["role"], told(answer)["is_newcomer"]) == ("viewer", False)
    for path in ("/keys", "/orders/undo"):
        refused = room.phone.post(API + path, json={}, environ_overrides=environ, headers=headers)
        assert refused.status_code == 403
    assert room.phone.get("/oled.png", environ_overrides=environ, headers=headers).status_code == 403


def test_the_door_opens_no_further_than_one_role(real_room: Room) -> None:
    Guest(real_room).come_in("Ann")
    assert told(Guest(real_room).come_in("Ben").get("/my"))["role"] == Role.PLAYER.name.lower()
    real_room.host.porch.do(LetIn())
    assert len(real_room.host.porch.book.phones) == 2
