"""Names: which spellings are one name, and which show nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from firmware_host.club import decide as d
from firmware_host.club.evolve import evolve
from firmware_host.club.state import Club
from firmware_host.cribbage.names import is_name, name_key
from firmware_host.cribbage.rules import Seat
from firmware_host.game.record_lines import start_game_of
from firmware_host.league.result_message import PlayerResult
from firmware_host.pairing.registry import PhoneRegistry
from firmware_host.stats.people import People

COMPOSED = "Jos\N{LATIN SMALL LETTER E WITH ACUTE}"
SPELLINGS = (
    "Jose\N{COMBINING ACUTE ACCENT}",
    COMPOSED.upper(),
    f"  {COMPOSED} ",
    f"{COMPOSED}\N{ZERO WIDTH JOINER}",
    f"{COMPOSED}\N{VARIATION SELECTOR-16}",
    f"{COMPOSED}\N{HANGUL FILLER}",
    "\N{FULLWIDTH LATIN CAPITAL LETTER J}os\N{LATIN SMALL LETTER E WITH ACUTE}",
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ann "),
        ("ANN LEE", "  Ann   Lee"),
        ("Straße", "STRASSE"),
        ("Zoe\u0301", "ZO\N{LATIN CAPITAL LETTER E WITH ACUTE}"),
        ("Аня", "АНЯ"),
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}nn", "Ann"),
        ("Ann\N{NO-BREAK SPACE}Lee", "Ann Lee"),
        ("Ann\N{ZERO WIDTH SPACE}", "Ann"),
        ("ΟΔΥΣΣΕΥΣ", "Οδυσσευς"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anne"), ("Zoe", "Zoé"), ("AnnLee", "Ann Lee"), ("Ann", "Аnn")])
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.slow
def test_the_key_of_a_key_is_the_key() -> None:
    for code in range(sys.maxunicode + 1):
        key = name_key(f"a{chr(code)}B")
        assert name_key(key) == key, f"{code:x}"


@pytest.mark.parametrize(
    "name",
    ["", " ", "\u2800", "\u3164", "\uffa0\u115f", "\u200b", "\ufe0f", "\u034f", "A\n", "\ud800", "Anna"],
    ids=ascii,
)
def test_a_name_has_something_to_see_and_fits(name: str) -> None:
    assert not is_name(name, 3)


@pytest.mark.parametrize("name", ["A", "李", "🂡", "a\u0301", "1"])
def test_one_letter_is_a_name(name: str) -> None:
    assert is_name(name, 3)


def has_seat(name: str) -> bool:
    registry = PhoneRegistry()
    phone, _ = registry.add_phone("phone")
    registry.set_seat(phone.id, Seat(1))
    registry.move_to_game(["Ann", COMPOSED], [name, "Ben"])
    return registry.find(phone.id).seat == 0


def is_member(name: str) -> bool:
    club = evolve(Club(), d.add_member(Club(), COMPOSED))
    return d.find_member(club, name).name == COMPOSED


def is_seat_of_a_record(name: str) -> bool:
    line = {"record": 1, "variant": "six_card", "seats": ["Ann", COMPOSED], "dealer": name}
    return start_game_of(line).dealer == 1


def is_one_person_in_history(name: str) -> bool:
    return People().key_of(name) == People().key_of(COMPOSED)


def is_one_player_of_the_league(name: str) -> bool:
    players = {PlayerResult(0, 0, each, 121, True, 2, 5).player for each in (name, COMPOSED)}
    return len(players) == 1


@pytest.mark.parametrize("spelling", SPELLINGS, ids=ascii)
@pytest.mark.parametrize(
    "is_same", [has_seat, is_member, is_seat_of_a_record, is_one_person_in_history, is_one_player_of_the_league]
)
def test_one_person_is_the_same_everywhere(is_same: Callable[[str], bool], spelling: str) -> None:
    assert is_same(spelling)
