"""The tagged deck: which tag is which card, as it was taught, in a file that is whole at every moment.

A tag that is a card's name (`5H`, as bar codes may be printed) needs no teaching.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from firmware_host.cribbage.cards import PACK, Card, parse_card
from firmware_host.cribbage.refusals import NotACard, Refusal
from firmware_host.faults import HostFault

FORMAT = 1


class TagTaken(Refusal):
    """The tag was taught as another card."""

    kind = "tag_taken"


class TagUnknown(Refusal, LookupError):
    """The tag was never taught."""

    kind = "tag_unknown"
    sentence = "This card is unknown: teach its tag first"


class DeckFault(HostFault):
    """The file of the deck cannot be read or written, or says what no deck is."""


class Deck:
    """Tag -> card. Changes raise DeckFault, and then nothing has changed."""

    def __init__(self, path: Path) -> None:
        """Raises DeckFault."""
        self._path = path
        self.cards: Mapping[str, Card] = read_deck(path)

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards that have no tag yet, aces first."""
        taught = set(self.cards.values())
        return tuple(card for card in PACK if card not in taught)

    def card_of(self, tag: str) -> Card:
        """Raises TagUnknown."""
        if tag in self.cards:
            return self.cards[tag]
        try:
            return parse_card(tag)
        except NotACard:
            raise TagUnknown("a card of the deck", f"tag {tag}", mend="teach it: cribboard deck teach") from None

    def teach(self, tag: str, card: Card) -> None:
        """From now on the tag is this card, and no other tag is. Raises TagTaken or DeckFault."""
        known = self.cards.get(tag, card)
        if known is not card:
            raise TagTaken(f"a new tag for {card}", f"the tag of {known}", mend="lay the next card on the reader")
        others = {other: taught for other, taught in self.cards.items() if taught is not card}
        self._keep({**others, tag: card})

    def forget(self, card: Card) -> None:
        self._keep({tag: taught for tag, taught in self.cards.items() if taught is not card})

    def _keep(self, cards: Mapping[str, Card]) -> None:
        told = {"deck": FORMAT, "tags": {tag: str(card) for tag, card in cards.items()}}
        fresh = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with fresh.open("w", encoding="utf-8") as file:
                json.dump(told, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError as error:
            mend = "check the folder's rights and the room on the disk"
            raise DeckFault("to write the deck", error.strerror or str(error), str(self._path), mend) from error
        self.cards = MappingProxyType(dict(cards))


def read_deck(path: Path) -> Mapping[str, Card]:
    """Tag -> card; empty if there is no file. Raises DeckFault."""
    try:
        return MappingProxyType(deck_in(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return MappingProxyType({})
    except (OSError, ValueError, RecursionError, Refusal) as error:
        mend = "put it right, or delete it and teach the deck again"
        raise DeckFault("a deck as it was taught", str(error), str(path), mend) from error


def deck_in(text: str) -> dict[str, Card]:
    """Raises ValueError or NotACard."""
    told = json.loads(text)
    if not isinstance(told, dict) or told.get("deck") != FORMAT or not isinstance(told.get("tags"), dict):
        raise ValueError(f'expected {{"deck": {FORMAT}, "tags": ..}}')
    cards = {tag: parse_card(name) for tag, name in told["tags"].items()}
    if len(set(cards.values())) < len(cards):
        raise ValueError("one tag for each card, got two for the same")
    return cards
