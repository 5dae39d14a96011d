"""Lists of members: CSV or pasted names, all of them or none, with each wrong line named."""

from __future__ import annotations

import pytest

from firmware_host.club import decide as d
from firmware_host.club.member_list import ListRefused, ListWords, read_members
from firmware_host.club.remarks import list_in_words
from firmware_host.club.state import Club, evolve
from firmware_host.ui.translator import untranslated


def club_of(*names: str) -> Club:
    club = Club()
    for name in names:
        club = evolve(club, d.add_member(club, name))
    return club


def read(club: Club, text: str, same: bool = False) -> list[tuple[int, str, bool, int]]:
    return [
        (each.member, each.name, each.is_guest, each.handicap) for each in read_members(club, text, ListWords(), same)
    ]


def complaint(club: Club, text: str) -> list[str]:
    with pytest.raises(ListRefused) as refused:
        read(club, text)
    return list_in_words(refused.value, untranslated).splitlines()


@pytest.mark.parametrize(
    "text",
    [
        "Ann Smith\nZoë;guest\nCat;;12\n",
        "\ufeffName;Guest;Handicap\r\nAnn Smith;no;0\r\n\r\nZoë;yes;\r\nCat;;12\r\n",
        "Ann Smith\t\t0\nZoë\tGuest\nCat\t12",
        'name,guest,handicap\n"Ann Smith",,\nZoë,GUEST,0\n Cat ,no,12',
    ],
)
def test_csv_and_pasted_names_are_read(text: str) -> None:
    assert read(club_of("Bob"), text) == [(2, "Ann Smith", False, 0), (3, "Zoë", True, 0), (4, "Cat", False, 12)]


def test_every_wrong_line_is_named_with_its_number_and_what_it_has() -> None:
    assert complaint(club_of("Bob"), "Ann\n\n12\nCat;61\nDan;left-handed\n") == [
        "Line 3, “12”: A name has 1 to 40 letters, and is not a number.",
        "Line 4, “Cat;61”: “61” is neither “guest” nor a handicap from 0 to 60.",
        "Line 5, “Dan;left-handed”: “left-handed” is neither “guest” nor a handicap from 0 to 60.",
        "Nobody was added.",
    ]


def test_a_name_that_is_known_is_asked_about() -> None:
    club = club_of("Ann Smith")
    assert complaint(club, "ann smith\nBob\nBOB") == [
        "Line 1, “ann smith”: ann smith is a member already: the same person?",
        "Line 3, “BOB”: BOB is in the list twice: the same person?",
        "The same: leave these lines out. Another person: write another name, such as ann smith 2.",
        "Nobody was added.",
    ]
    assert read(club, "ann smith\nBob\nBOB", same=True) == [(2, "Bob", False, 0)]


@pytest.mark.parametrize("text", ["", "\n \n", "Name\n"])
def test_a_list_without_a_name_is_refused(text: str) -> None:
    assert complaint(Club(), text) == ["There is no name in the list."]
