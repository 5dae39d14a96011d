"""Card tags: assigning and removing them, and the file that keeps them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from firmware_host.config.card_tags import CardTags, CardTagsError, TagInUse, UnknownTag
from firmware_host.cribbage.cards import PACK, parse_card

FIVE, JACK = parse_card("5H"), parse_card("JS")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "deck.json"


def test_tags_are_kept_over_a_restart(file: Path) -> None:
    for number, card in enumerate(PACK):
        CardTags(file).assign(f"04A1{number:04X}", card)
    tags = CardTags(file)
    assert not tags.untagged
    assert [tags.card_of(f"04A1{number:04X}") for number in range(52)] == list(PACK)


def test_a_tag_has_one_card_and_a_card_has_one_tag(file: Path) -> None:
    tags = CardTags(file)
    tags.assign("04A1", FIVE)
    tags.assign("04A1", FIVE)
    with pytest.raises(TagInUse, match="expected a new tag for JS, got the tag of 5H"):
        tags.assign("04A1", JACK)
    tags.assign("04B2", FIVE)
    assert dict(CardTags(file).cards) == {"04B2": FIVE}, "a card whose tag was replaced"


def test_a_card_whose_tag_is_removed_is_untagged_again(file: Path) -> None:
    tags = CardTags(file)
    tags.assign("04A1", FIVE)
    assert FIVE not in tags.untagged
    tags.remove(FIVE)
    assert FIVE in CardTags(file).untagged


def test_a_bar_code_with_the_name_of_a_card_needs_no_entry(file: Path) -> None:
    assert CardTags(file).card_of("5h") is FIVE


def test_an_unknown_tag_is_refused_with_the_command_that_assigns_it(file: Path) -> None:
    with pytest.raises(UnknownTag, match="04FF.*cribboard deck teach"):
        CardTags(file).card_of("04FF")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"deck": 2, "tags": {}}',
        '{"deck": 1, "tags": []}',
        '{"deck": 1, "tags": {"04": "5X"}}',
        '{"deck": 1, "tags": {"04": 7}}',
        '{"deck": 1, "tags": {"04": "5H", "05": "5H"}}',
        "[" * 100_000,
        "\udcff",
    ],
)
def test_a_file_without_card_tags_is_refused_and_not_changed(file: Path, text: str) -> None:
    content = text.encode("utf-8", "surrogateescape")
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(CardTagsError, match="expected a file of card tags, got .*; correct the file") as caught:
        CardTags(file)
    assert caught.value.where == str(file) and "\n" not in str(caught.value)
    assert file.read_bytes() == content


def test_the_folder_is_synced_after_the_file_is_replaced(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tags = CardTags(file)
    tags.assign("04A1", FIVE)
    synced, fsync = list[tuple[int, bool]](), os.fsync

    def recording_fsync(descriptor: int) -> None:
        fsync(descriptor)
        synced.append((os.fstat(descriptor).st_ino, "04B2" in file.read_text()))

    monkeypatch.setattr(os, "fsync", recording_fsync)
    tags.assign("04B2", JACK)
    copy = file.with_name(f"{file.name}.copy")
    folder = file.parent.stat().st_ino, True
    assert synced == [(file.stat().st_ino, False), folder, (copy.stat().st_ino, True), folder]
    assert {path.name for path in file.parent.iterdir()} == {file.name, copy.name}


def test_a_change_that_cannot_be_written_is_not_made(file: Path) -> None:
    tags = CardTags(file)
    tags.assign("04A1", FIVE)
    before = file.read_text()
    file.with_name(f"{file.name}.new").mkdir()
    with pytest.raises(CardTagsError, match="expected to write the deck, got Is a directory"):
        tags.assign("04B2", JACK)
    assert dict(tags.cards) == {"04A1": FIVE} and file.read_text() == before
    assert json.loads(before).items() >= {"deck": 1, "tags": {"04A1": "5H"}}.items()
