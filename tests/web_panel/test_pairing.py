"""Pairing: request, answer at the board, token; and the removal of a phone."""

from __future__ import annotations

import pytest

from firmware_host.pairing.pairing import WRONG_CODES
from firmware_host.pairing.registry import Role
from firmware_host.ui.pairing_prompt import AcceptPhone, OpenPairing, RejectPhone
from tests.web_panel.conftest import API, PhoneClient, Rig, json_of
from web_panel.security.identity import COOKIE


def open_pairing(rig: Rig) -> str:
    rig.host.pairing.do(OpenPairing())
    return rig.host.pairing.pairing_state().code


def test_a_phone_is_paired_by_a_key_of_the_board(real_rig: Rig) -> None:
    board, phone = real_rig.board, PhoneClient(real_rig)
    requested = phone.post("/pairing/request", {"name": "Ann", "code": open_pairing(real_rig)})
    request_pairing = json_of(requested)["secret"]
    assert phone.post("/pairing/token", {"secret": request_pairing}).status_code == 202
    real_rig.wait(1.1)
    assert real_rig.state()["prompt"] == f"Add Ann {json_of(requested)['number']}? ENTER"
    board.keypad.move("ENTER", down=True)
    real_rig.wait(0.1)
    admitted = phone.post("/pairing/token", {"secret": request_pairing})
    assert json_of(admitted)["phone"]["name"] == "Ann" and json_of(admitted)["phone"]["role"] == "owner"
    assert json_of(phone.get("/me"))["phone"]["name"] == "Ann"


def test_a_cancelled_request_is_gone(real_rig: Rig) -> None:
    phone = PhoneClient(real_rig)
    request_pairing = json_of(phone.post("/pairing/request", {"name": "Eve", "code": open_pairing(real_rig)}))["secret"]
    assert phone.post("/pairing/cancel", {"secret": request_pairing}).status_code == 204
    assert not real_rig.host.pairing.pairing_state().requested_by
    assert json_of(phone.post("/pairing/token", {"secret": request_pairing}))["kind"] == "not_let_in"


def test_the_token_cookie_is_http_only_and_same_site_strict(real_rig: Rig) -> None:
    phone = PhoneClient(real_rig)
    phone.pair("Ann")
    cookie = phone.client.get_cookie(COOKIE)
    assert cookie and cookie.http_only and cookie.same_site == "Strict" and cookie.path == "/" and cookie.origin_only
    assert len(phone.token) >= 40


def test_a_token_is_sent_once_and_stored_as_a_hash(real_rig: Rig) -> None:
    phone = PhoneClient(real_rig).pair("Ann")
    owner = json_of(phone.get("/phones"))["phones"]
    assert phone.token not in repr(real_rig.host.pairing.registry.phones) and "token" not in repr(owner)


def test_a_rejected_phone_gets_no_token(real_rig: Rig) -> None:
    phone = PhoneClient(real_rig)
    request_pairing = json_of(phone.post("/pairing/request", {"name": "Eve", "code": open_pairing(real_rig)}))["secret"]
    real_rig.host.pairing.do(RejectPhone())
    answer = phone.post("/pairing/token", {"secret": request_pairing})
    assert (answer.status_code, json_of(answer)["kind"]) == (409, "turned_away") and not phone.token


def test_the_qr_code_opens_the_page_with_the_code(real_rig: Rig) -> None:
    for path in ("/IN/KRTMWX", "/in/krtmwx"):
        answer = real_rig.get(path)
        assert (answer.status_code, answer.headers["Location"]) == (302, "/#code=KRTMWX")


@pytest.mark.parametrize("code", ["KRTMW", "AEIOUY", "%0d%0aEvil:1", "..%2f..%2f", "//evil.example", "KRTMWX%00"])
def test_an_invalid_code_redirects_nowhere(real_rig: Rig, code: str) -> None:
    answer = real_rig.get(f"/in/{code}")
    assert answer.status_code in (404, 308) and "Evil" not in answer.headers
    assert answer.headers.get("Location", "http://localhost/").startswith("http://localhost/")


@pytest.mark.parametrize("name", ["", " ", "x" * 17, "two\nlines", None, 7])
def test_a_name_must_fit_the_display(real_rig: Rig, name: object) -> None:
    answer = PhoneClient(real_rig).post("/pairing/request", {"name": name, "code": open_pairing(real_rig)})
    assert answer.status_code == 400 and json_of(answer)["detail"].startswith("name: ")


def test_five_wrong_codes_lock_pairing(real_rig: Rig) -> None:
    code, phone = open_pairing(real_rig), PhoneClient(real_rig)
    for guess in range(WRONG_CODES):
        answer = phone.post("/pairing/request", {"name": "Eve", "code": f"BBBBB{guess}"})
        assert (answer.status_code, json_of(answer)["kind"]) == (409, "wrong_code")
    locked = phone.post("/pairing/request", {"name": "Eve", "code": code})
    assert locked.status_code == 429 and 0 < int(locked.headers["Retry-After"]) <= 61
    assert json_of(locked)["localized"].endswith(f"Wait {locked.headers['Retry-After']} s.")
    real_rig.wait(61)
    requested = phone.post("/pairing/request", {"name": "Ann", "code": open_pairing(real_rig)})
    assert requested.status_code == 200


def test_the_owner_sets_roles_and_removes_phones(real_rig: Rig) -> None:
    owner, other = PhoneClient(real_rig).pair("Ann"), PhoneClient(real_rig).pair("Ben")
    ben = json_of(other.get("/me"))["phone"]["id"]
    assert other.get("/phones").status_code == 403
    assert json_of(owner.post(f"/phones/{ben}/role", {"role": "keeper"}))["phone"]["role"] == "keeper"
    assert json_of(other.get("/me"))["role"] == "keeper"
    assert owner.post(f"/phones/{ben}/remove").status_code == 204
    assert json_of(other.get("/me"))["role"] == "viewer" and json_of(other.get("/me"))["phone"] is None
    assert [phone["name"] for phone in json_of(owner.get("/phones"))["phones"]] == ["Ann"]


def test_the_owner_has_a_page_with_every_phone(real_rig: Rig) -> None:
    owner, other = PhoneClient(real_rig).pair("Ann"), PhoneClient(real_rig).pair("<b>Ben")
    page = owner.client.get("/phones").text
    assert "&lt;b&gt;Ben" in page and "<b>Ben" not in page and page.count("data-phone=") == 2
    assert other.client.get("/phones").status_code == 403


def test_the_state_shows_new_phones_and_seat_changes(real_rig: Rig) -> None:
    assert (real_rig.state()["phones"], real_rig.state()["seats"]) == (0, [])
    ann = PhoneClient(real_rig).pair("Ann")
    ann.command("new-game", variant="six_card", names=["Red", "Blue"], board="classic-61", dealer=0)
    before = real_rig.state()["version"]
    ann.post("/me/seat", {"seat": 1})
    state = real_rig.state()
    assert state["version"] > before and state["phones"] == 1
    registry = real_rig.host.pairing.registry
    registry.set_role(registry.phones[0].id, Role.KEEPER)
    assert real_rig.state()["phone_changes"] > state["phone_changes"]
    assert state["seats"] == [
        {"name": "Red", "side": 0, "held_by": None},
        {"name": "Blue", "side": 1, "held_by": "Ann"},
    ]


def test_a_phone_knows_which_commands_it_may_send(real_rig: Rig) -> None:
    assert json_of(PhoneClient(real_rig).get("/me"))["allowed_commands"] == []
    owner, player = PhoneClient(real_rig).pair("Ann"), PhoneClient(real_rig).pair("Ben")
    assert set(json_of(owner.get("/me"))["allowed_commands"]) - set(json_of(player.get("/me"))["allowed_commands"]) == {
        "accept-pegs",
        "correct",
    }


@pytest.mark.parametrize(("role", "status"), [("king", 400), ("stranger", 400), ("", 400), ("viewer", 200)])
def test_an_unknown_role_is_refused(real_rig: Rig, role: str, status: int) -> None:
    owner = PhoneClient(real_rig).pair("Ann")
    own = json_of(owner.get("/me"))["phone"]["id"]
    assert owner.post(f"/phones/{own}/role", {"role": role}).status_code == status


def test_an_unknown_phone_is_refused(real_rig: Rig) -> None:
    answer = PhoneClient(real_rig).pair("Ann").post("/phones/1f/remove")
    assert (answer.status_code, json_of(answer)["kind"]) == (409, "no_such_phone")


def test_a_phone_can_unpair_itself(real_rig: Rig) -> None:
    phone = PhoneClient(real_rig).pair("Ann")
    token = phone.token
    assert phone.post("/me/leave").status_code == 204 and not phone.token
    assert real_rig.host.pairing.registry.phone_with_token(token) is None


def test_a_local_visitor_owns_a_simulated_board(rig: Rig) -> None:
    me = json_of(PhoneClient(rig).get("/me"))
    assert (me["role"], me["is_local"], me["phone"]) == ("owner", True, None) and rig.state()[
        "allows_local_pairing"
    ] is True


def test_a_local_visitor_pairs_with_a_name(rig: Rig) -> None:
    phone = PhoneClient(rig)
    assert json_of(phone.post("/pairing/local", {"name": "Ann"}))["phone"]["name"] == "Ann"
    assert json_of(phone.get("/me"))["phone"]["name"] == "Ann" and phone.token


def test_a_real_board_has_no_local_pairing(real_rig: Rig) -> None:
    for phone in (PhoneClient(real_rig), PhoneClient(real_rig).pair("Ann")):
        assert phone.post("/pairing/local", {"name": "Eve"}).status_code == 403
    assert real_rig.state()["allows_local_pairing"] is False


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
def test_a_visitor_from_elsewhere_is_not_local(rig: Rig, environ: dict[str, str], headers: dict[str, str]) -> None:
    answer = rig.client.get(f"{API}/me", environ_overrides=environ, headers=headers)
    assert (json_of(answer)["role"], json_of(answer)["is_local"]) == ("viewer", False)
    for path in ("/keys", "/commands/undo"):
        refused = rig.client.post(API + path, json={}, environ_overrides=environ, headers=headers)
        assert refused.status_code == 403
    assert rig.client.get("/oled.png", environ_overrides=environ, headers=headers).status_code == 403


def test_the_second_phone_becomes_a_player(real_rig: Rig) -> None:
    PhoneClient(real_rig).pair("Ann")
    assert json_of(PhoneClient(real_rig).pair("Ben").get("/me"))["role"] == Role.PLAYER.name.lower()
    real_rig.host.pairing.do(AcceptPhone())
    assert len(real_rig.host.pairing.registry.phones) == 2


def test_a_look_alike_name_is_refused_with_a_reason(real_rig: Rig) -> None:
    phone = PhoneClient(real_rig)
    answer = phone.post("/pairing/request", {"name": "\u0410nn", "code": open_pairing(real_rig)})
    assert answer.status_code == 409 and json_of(answer)["kind"] == "mixed_alphabets"


def test_the_last_owner_stays_owner(real_rig: Rig) -> None:
    """Otherwise the next phone that is added would become the owner."""
    owner, player = PhoneClient(real_rig).pair("Ann"), PhoneClient(real_rig).pair("Ben")
    own_id, other_id = (json_of(phone.get("/me"))["phone"]["id"] for phone in (owner, player))
    refused = [
        owner.post(f"/phones/{own_id}/role", {"role": "player"}),
        owner.post(f"/phones/{own_id}/remove"),
        owner.post("/me/leave"),
    ]
    assert [(answer.status_code, json_of(answer)["kind"]) for answer in refused] == [(409, "last_owner")] * 3
    assert owner.post(f"/phones/{other_id}/role", {"role": "owner"}).status_code == 200
    assert owner.post(f"/phones/{own_id}/role", {"role": "player"}).status_code == 200


def test_the_owner_pairs_a_phone_from_the_page_before_the_first_game(rig: Rig) -> None:
    owner = PhoneClient(rig).pair("Olga")
    opened = json_of(owner.post("/pairing/open", {}))
    assert opened["picture"].startswith("<svg") and opened["code"] == rig.host.pairing.pairing_state().code
    phone = PhoneClient(rig)
    requested = json_of(phone.post("/pairing/request", {"name": "Ann", "code": opened["code"]}))
    rig.wait(0.1)
    assert rig.state()["asks_to_join"] == {"name": "Ann", "number": requested["number"]}
    assert owner.post("/pairing/answer", {"number": "00", "accepted": True}).status_code == 409
    assert owner.post("/pairing/answer", {"number": requested["number"], "accepted": True}).status_code == 204
    assert json_of(phone.post("/pairing/token", {"secret": requested["secret"]}))["phone"]["name"] == "Ann"


def test_only_the_owner_opens_pairing_and_answers_on_the_page(rig: Rig) -> None:
    PhoneClient(rig).pair("Olga")
    player = PhoneClient(rig).pair("Ann")
    for path, body in (("open", {}), ("answer", {"number": "10", "accepted": True})):
        answer = rig.post(f"/pairing/{path}", body, player.client, headers={"Origin": "http://board.local"})
        assert answer.status_code == 403


def test_the_owner_refuses_a_phone_on_the_page(rig: Rig) -> None:
    owner, phone = PhoneClient(rig).pair("Olga"), PhoneClient(rig)
    code = json_of(owner.post("/pairing/open", {}))["code"]
    requested = json_of(phone.post("/pairing/request", {"name": "Eve", "code": code}))
    assert owner.post("/pairing/answer", {"number": requested["number"], "accepted": False}).status_code == 204
    assert json_of(phone.post("/pairing/token", {"secret": requested["secret"]}))["kind"] == "turned_away"
