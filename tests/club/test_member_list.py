"""Lists of members: CSV or pasted names, all of them or none, with each wrong line named."""

from __future__ import annotations

import pytest

from firmware_host.club import decide as d
from firmware_host.club.evolve import evolve
from firmware_host.club.member_list import ListRefused, ListWords, read_members
from firmware_host.club.remarks import list_in_words, list_words
from firmware_host.club.state import Club
from firmware_host.config.languages import translator
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


@pytest.mark.parametrize("line", ['"Unclosed, 3', '"Ann" Smith', 'Ann,"3'])
def test_a_quotation_mark_that_is_not_closed_is_a_wrong_line(line: str) -> None:
    assert complaint(Club(), f'"Bob",\n{line}\n') == [
        f"Line 2, “{line}”: A cell that begins with a quotation mark ends with one.",
        "Nobody was added.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "First name,Last name,Handicap\nAnn,Smith,12\n",
        "Last Name;First Name;Guest;Handicap\nSmith;Ann;no;12\n",
        "Name\tSurname\tHandicap\nAnn\tSmith\t12",
    ],
)
def test_first_and_last_names_are_put_together(text: str) -> None:
    assert read(Club(), text) == [(1, "Ann Smith", False, 12)]


@pytest.mark.parametrize(
    ("language", "heading", "row", "expected"),
    [
        ("fr", "Nom;Prénom;Invité", "Curie;Marie;oui", (1, "Marie Curie", True, 0)),
        ("fr", "Nom et prénom;Handicap", "Marie Curie;3", (1, "Marie Curie", False, 3)),
        ("pl", "Nazwisko;Imię;Gość", "Żak;Łucja;tak", (1, "Łucja Żak", True, 0)),
        ("pl", "Imię i nazwisko", "Łucja Żak", (1, "Łucja Żak", False, 0)),
        ("ru", "Фамилия;Имя;Гандикап;Гость", "Орлов;Юрий;3;нет", (1, "Юрий Орлов", False, 3)),
    ],
)
def test_headings_are_in_the_language_of_the_club(
    language: str, heading: str, row: str, expected: tuple[int, str, bool, int]
) -> None:
    added = read_members(Club(), f"{heading}\n{row}\n", list_words(translator(language)), False)
    assert [(each.member, each.name, each.is_guest, each.handicap) for each in added] == [expected]


def test_a_heading_that_is_not_known_is_named() -> None:
    assert complaint(Club(), "Name;Age\nAnn;45\n") == [
        "Line 1, “Name;Age”: The heading “Age” is not known: name, first name, last name, guest or handicap.",
        "Nobody was added.",
    ]
