"""Cards as the pages draw and name them."""

from __future__ import annotations

import re

import pytest

from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.cribbage.cards import PACK, RANKS, Card
from firmware_host.ui.texts.messages import with_suit_symbol
from tests.web_panel.conftest import Rig
from web_panel.views.card_faces import card_faces, card_parts
from web_panel.views.card_letters import COURT, LETTER_SETS, court_letters
from web_panel.views.card_names import card_name

SYMBOL = re.compile(r'<symbol id="(\w+)"[^>]*>(.*?)</symbol>')
SYMBOLS = dict(SYMBOL.findall(card_faces().decode()))


@pytest.mark.parametrize("card", [*PACK, *RANKS], ids=str)
def test_every_card_has_a_face_with_its_number_of_pips(card: Card) -> None:
    drawing = SYMBOLS[str(card)]
    assert card_parts(with_suit_symbol(card)) == card_parts(str(card))
    assert card_parts(str(card)).symbol == str(card)
    if card.rank <= 10:
        assert drawing.count("<path") == card.rank


def test_there_are_symbols_for_the_suits_and_the_back() -> None:
    assert SYMBOLS.keys() == {"S", "H", "D", "C", "back", *map(str, PACK), *map(str, RANKS)}


def test_the_faces_are_revalidated(rig: Rig) -> None:
    answer = rig.get("/cards.svg")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert rig.get("/cards.svg", If_None_Match=answer.headers["ETag"]).status_code == 304


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", ("10 of hearts", "jack of spades", "7")),
        ("fr", ("10 de cœur", "valet de pique", "7")),
        ("ru", ("10 червей", "валет пик", "7")),
        ("pl", ("10 kier", "walet pik", "7")),
    ],
)
def test_a_card_has_a_name_in_words(language: str, names: tuple[str, str, str]) -> None:
    tr = translator(language)
    assert tuple(card_name(card, tr) for card in ("10♥", "J♠", "7")) == names


@pytest.mark.parametrize("language", LANGUAGES)
def test_ten_is_written_as_a_number_in_every_language(rig: Rig, language: str) -> None:
    rig.begin()
    rig.command("starter", card="TS")
    state = rig.get("/api/v1/state", Accept_Language=language).get_json()
    assert state["deal"]["starter"] == "10♠" and "10♠" in state["log"][0]["text"]


@pytest.mark.parametrize(("cookie", "is_four"), [("four", True), ("two", False), ("", False), ("<x>", False)])
def test_four_suit_colours_are_a_cookie_of_the_browser(rig: Rig, cookie: str, is_four: bool) -> None:
    rig.client.set_cookie("suits", cookie)
    page = rig.get("/help").get_data(as_text=True)
    assert ('data-suits="four"' in page) == is_four


def test_every_set_of_letters_has_three_that_differ() -> None:
    assert LETTER_SETS["en"] == COURT
    for printed in LETTER_SETS.values():
        assert len(set(printed)) == 3 and printed.isupper()
    assert court_letters("pl") == {"J": "W", "Q": "D"}  # the king is K in both
    assert court_letters("en") == court_letters(None) == court_letters("xx") == {}


@pytest.mark.parametrize(("chosen", "jack"), [("", "J"), ("fr", "V"), ("ru", "В"), ("pl", "W")])
def test_a_browser_shows_the_letters_that_it_chose(rig: Rig, chosen: str, jack: str) -> None:
    client = rig.app.test_client()
    client.set_cookie("letters", chosen)
    page = client.get("/help").text
    assert f'<span class="rank">{jack}</span><span class="sign">♠</span>' in page
    assert 'aria-label="jack of spades"' in page
    assert f'<option value="{chosen or "en"}" selected>' in page
