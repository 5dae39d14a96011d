"""The owner's page of phones: how to add one, what each may do, and when it was last seen."""

from __future__ import annotations

import re

from msgspec.structs import replace

from firmware_host.pairing.registry import Role
from tests.web_panel.conftest import PhoneClient, Rig


def test_the_address_is_a_qr_code_where_phones_can_reach_it(real_rig: Rig) -> None:
    owner = PhoneClient(real_rig).pair("Owen")
    real_rig.host._context.setup = replace(real_rig.host.setup, address="http://192.168.1.20:8080/")
    page = owner.client.get("/phones").text
    assert 'class="qr-code"' in page and "http://192.168.1.20:8080/" in page and "style=" not in page


def test_a_board_that_answers_itself_alone_says_how_to_open_it(real_rig: Rig) -> None:
    owner = PhoneClient(real_rig).pair("Owen").client
    page = owner.get("/phones").text
    assert "qr-code" not in page and "answers this computer only" in page
    (place,) = re.findall(r'href="/settings#([^"]+)"', page)
    assert f'<form id="{place}" class="setting' in owner.get("/settings").text and place == "setting-address"


def test_each_phone_has_its_role_in_words_its_seat_and_when_it_was_seen(real_rig: Rig) -> None:
    owner = PhoneClient(real_rig).pair("Owen")
    owner.command("new-game", variant="six_card", names=["Ann", "Ben"], board="classic-61", dealer=0)
    ann = PhoneClient(real_rig).pair("Ann", Role.KEEPER)
    ann.post("/me/seat", {"seat": 0})
    real_rig.host.pairing.registry.add_phone("Zoe")
    page = owner.client.get("/phones").text
    assert "Plays, corrects scores and tests the board." in page and "Plays as Ann." in page
    assert page.count("Last seen:") == 2 and page.count("Not seen since the board was started.") == 1
