"""Which language a page speaks, and that all of it does."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from firmware_host.languages import LANGUAGES, words
from firmware_host.settings import OLEDS
from tests.panel.conftest import API, Room, told
from web_panel.language import OWN_NAMES, in_figures


def test_every_language_is_offered_by_its_own_name(room: Room) -> None:
    page = room.get("/").text
    assert set(OWN_NAMES) == set(LANGUAGES)
    for language, name in OWN_NAMES.items():
        assert f'lang="{language}"' in page and name in page


@pytest.mark.parametrize(
    ("path", "headers", "language"),
    [
        ("/", {}, "en"),
        ("/", {"Accept_Language": "fr-CH, de;q=0.9"}, "fr"),
        ("/", {"Accept_Language": "de, pl;q=0.5, en;q=0.3"}, "pl"),
        ("/", {"Accept_Language": "de"}, "en"),
        ("/", {"Cookie": "lang=ru", "Accept_Language": "fr"}, "ru"),
        ("/?lang=pl", {"Cookie": "lang=ru", "Accept_Language": "fr"}, "pl"),
        ("/?lang=xx", {"Cookie": "lang=yy", "Accept_Language": "fr"}, "fr"),
        ("/?lang=../../etc", {}, "en"),
    ],
)
def test_a_page_speaks_the_language_that_was_asked_for(
    room: Room, path: str, headers: dict[str, str], language: str
) -> None:
    room.phone = room.app.test_client(use_cookies=False)
    assert f'<html lang="{language}">' in room.get(path, **headers).text


def test_a_language_that_was_chosen_is_remembered(room: Room) -> None:
    room.get("/?lang=fr")
    assert '<html lang="fr">' in room.get("/history").text
    assert "SameSite=Strict" in room.get("/?lang=fr").headers["Set-Cookie"]


def test_prompt_offers_and_log_are_told_in_the_language(room: Room) -> None:
    room.begin()
    room.order("starter", card="JH")
    state = told(room.get(f"{API}/state?lang=ru"))
    assert state["log"][0]["said"].startswith("Стартовая карта: J♥.")
    assert "Отменить" in [offer["label"] for offer in state["offers"]]
    assert state["board"]["tracks"][0]["name"] == "красный"
    assert told(room.get(f"{API}/state"))["log"][0]["said"].startswith("The starter is J♥.")


def test_a_count_is_said_in_cadence_in_the_language(room: Room) -> None:
    room.begin()
    room.order("starter", card="5H")
    room.order("show")
    room.order("count", cards=["5S", "TD", "2C", "9H"])
    said = told(room.get(f"{API}/state?lang=pl"))["deal"]["count"]["said"]
    assert said.startswith("Piętnaście") and said.endswith(".")


def test_a_stream_speaks_the_language_it_was_opened_in(room: Room) -> None:
    room.begin(dealer=None)
    stream = room.phone.get(f"{API}/stream?lang=fr")
    chunks = iter(stream.response)
    next(chunks)
    assert "donne" in str(next(chunks))
    stream.close()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@pytest.mark.parametrize("path", ["/", "/big", "/history", "/settings", "/device", "/card", "/why", "/advice"])
def test_no_page_mixes_languages(room: Room, language: str, path: str) -> None:
    """Whatever a page says in English, it says otherwise in each other language."""
    room.begin()
    english, other = (sentences(room.get(f"{path}?lang={each}").text) for each in ("en", language))
    alike = {sentence for sentence in english & other if re.search("[a-z]{4}", sentence)}
    assert alike <= NAMES


NAMES = {
    *("cribboard", "crib", "board", "acc", "family", "pub", "traditional", "Muggins", "Pages", "Settings", "Starter"),
    *("English", "Français", "Polski", "Points", "Scores", "Skunks", "Score", "ENTER", "UNDO"),
    *OLEDS,
    *("six cards", "Classic 61", "Continuous 121, two tracks", "Start"),
}
"""What is called the same in two languages."""


def sentences(page: str) -> set[str]:
    body = unescape(re.sub(r"<code>.*?</code>", "", page.split("<body", 1)[1]))
    attributes = re.findall(r'(?:aria-label|alt|data-(?:polling|lost|unsent|watch|cut|player))="([^"]+)"', body)
    return {text.strip() for text in (*re.findall(r">([^<]+)<", body), *attributes) if text.strip()}


@pytest.mark.parametrize(("language", "written"), [("en", "4.77"), ("fr", "4,77"), ("ru", "4,77"), ("pl", "4,77")])
def test_figures_are_written_as_the_language_does(language: str, written: str) -> None:
    assert in_figures(4.77, language, 2) == written


def test_a_refusal_is_said_in_the_language_of_whoever_asks(room: Room) -> None:
    room.begin()
    said = {language: told(room.post(f"/orders/undo?lang={language}")) for language in ("en", "ru")}
    assert said["en"].pop("says") == "There is no turn to take back"
    assert said["ru"].pop("says") == "Нет хода, который можно отменить"
    assert said["en"] == said["ru"] and said["en"]["message"].startswith("expected a turn to take back, got none")


def test_what_the_keys_were_refused_is_said_to_each_phone_in_its_language(room: Room) -> None:
    room.host.house = replace(room.host.house, words=words("fr"))
    room.begin()
    room.board.keypad.move("UNDO", down=True)
    room.wait(0.1)
    assert [told(room.get(f"{API}/state?lang={language}"))["prompt"] for language in ("fr", "pl")] == [
        *("Aucun coup à reprendre", "Nie ma ruchu do cofnięcia")
    ]
    assert [text for text, _ in room.host.snapshot.page[:2]] == ["Aucun coup à", "reprendre"]
