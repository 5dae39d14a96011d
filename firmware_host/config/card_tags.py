"""Card tags: which RFID tag or bar code belongs to which card of a tagged deck.

The tags are kept in one JSON file, `{"deck": 1, "tags": {"04A1": "5H", ..}}`, which is replaced atomically. A tag that
is itself the name of a card (`5H`, as on a printed bar code) needs no entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import Struct

from firmware_host.cribbage.cards import PACK, Card, parse_card
from firmware_host.cribbage.rule_errors import NotACard, Refusal
from firmware_host.errors import HostError
from firmware_host.storage.checked_file import prepare_file, read_checked, write_checked
from firmware_host.validation.typed import decode


class CardTagsDocument(Struct, frozen=True):
    """The file: tag -> the name of its card."""

    deck: Literal[1]
    """The format."""
    tags: dict[str, str]


class TagInUse(Refusal):
    """The tag already belongs to another card."""

    kind = "tag_taken"


class UnknownTag(Refusal, LookupError):
    """No card has this tag, and the tag is not the name of a card."""

    kind = "tag_unknown"
    sentence = "Unknown card. Register its tag first."


class CardTagsError(HostError):
    """The file of card tags cannot be read or written, or does not hold card tags."""


class CardTags:
    """The tags of one deck, in memory and in their file.

    A change that raises CardTagsError leaves both as they were. Used by one thread.
    """

    def __init__(self, path: Path) -> None:
        """Reads the file, if there is one. Raises CardTagsError."""
        self._path = path
        self.cards: Mapping[str, Card] = read_card_tags(path)
        """Tag -> card. Each card has one tag at most."""

    @property
    def untagged(self) -> tuple[Card, ...]:
        """The cards that have no tag yet, aces first."""
        tagged = set(self.cards.values())
        return tuple(card for card in PACK if card not in tagged)

    def card_of(self, tag: str) -> Card:
        """The card with this tag, or the card that the tag names. Raises UnknownTag."""
        if tag in self.cards:
            return self.cards[tag]
        try:
            return parse_card(tag)
        except NotACard:
            raise UnknownTag("a card of the deck", f"tag {tag}", fix="teach it: cribboard deck teach") from None

    def assign(self, tag: str, card: Card) -> None:
        """Give the card this tag, in place of any other tag it had.

        Raises TagInUse if the tag belongs to another card, and CardTagsError if the file cannot be written.
        """
        known = self.cards.get(tag, card)
        if known is not card:
            raise TagInUse(f"a new tag for {card}", f"the tag of {known}", fix="put the next card on the reader")
        others = {other: tagged for other, tagged in self.cards.items() if tagged is not card}
        self._write({**others, tag: card})

    def remove(self, card: Card) -> None:
        """Take the tag of this card away; a card without a tag is left alone. Raises CardTagsError."""
        self._write({tag: tagged for tag, tagged in self.cards.items() if tagged is not card})

    def _write(self, cards: Mapping[str, Card]) -> None:
        document = CardTagsDocument(1, {tag: str(card) for tag, card in cards.items()})
        try:
            write_checked(self._path, msgspec.json.format(msgspec.json.encode(document), indent=1))
        except OSError as error:
            fix = "check the permissions of the folder and the free space on the disk"
            raise CardTagsError("to write the deck", error.strerror or str(error), str(self._path), fix) from error
        self.cards = MappingProxyType(dict(cards))


def read_card_tags(path: Path) -> Mapping[str, Card]:
    """Tag -> card; empty if there is no file. Raises CardTagsError."""
    try:
        return MappingProxyType(read_checked(path, parse_card_tags))
    except FileNotFoundError:
        return MappingProxyType({})
    except (OSError, ValueError, RecursionError, Refusal) as error:
        fix = "correct the file, or delete it and run: cribboard deck teach"
        raise CardTagsError("a file of card tags", str(error), str(path), fix) from error


def prepare_card_tags(path: Path) -> None:
    """Prepare the file at the start of a board: see `checked_file.prepare_file`. Raises CardTagsError."""
    try:
        prepare_file(path, parse_card_tags)
    except PermissionError as error:
        got = error.strerror or str(error)
        raise CardTagsError("a file that can be read", got, str(path), "correct its permissions") from error


def parse_card_tags(text: str) -> dict[str, Card]:
    """Tag -> card, from the text of a file. Raises ValueError, RecursionError (deep nesting) or NotACard."""
    cards = {tag: parse_card(name) for tag, name in decode(text, CardTagsDocument).tags.items()}
    if len(set(cards.values())) < len(cards):
        raise ValueError("expected one tag for each card, got two for one card")
    return cards
