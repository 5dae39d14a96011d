"""Files with a list of members: the encodings of spreadsheets and editors, and what is no text at all."""

from __future__ import annotations

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

import pytest

from firmware_host.club.list_file import code_page, text_of
from firmware_host.club.member_list import ListWords, read_members
from firmware_host.club.rule_errors import NotAListFile
from firmware_host.club.state import Club

NAMES = "Jürgen Weiß;guest\r\nZoë\r\n"


@pytest.mark.parametrize(
    "data",
    [
        NAMES.encode(),
        BOM_UTF8 + NAMES.encode(),
        BOM_UTF16_LE + NAMES.encode("utf-16-le"),
        BOM_UTF16_BE + NAMES.encode("utf-16-be"),
        NAMES.encode("cp1252"),
    ],
)
def test_the_encoding_of_a_list_is_found(data: bytes) -> None:
    assert text_of(data, code_page("en")) == NAMES


@pytest.mark.parametrize(("language", "name"), [("fr", "Œdipe"), ("pl", "Łukasz Żak"), ("ru", "Юрий")])
def test_without_a_mark_the_code_page_is_that_of_the_language(language: str, name: str) -> None:
    assert text_of(name.encode(code_page(language)), code_page(language)) == name


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "Ann\n".encode("utf-16-le"),
        BOM_UTF16_LE + b"A\0n",
        BOM_UTF16_LE + b"\x00\xd8A\0",
        b"J\x81rgen",
        "J\ufffdrgen".encode(),
        b"Ann\0",
    ],
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(NotAListFile):
        text_of(data, code_page("en"))


def test_a_pasted_name_with_a_lost_letter_is_refused() -> None:
    with pytest.raises(NotAListFile):
        read_members(Club(), "J\ufffdrgen;guest", ListWords(), False)
