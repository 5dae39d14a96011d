"""`cribboard deck`: a tagged deck is taught card by card, and kept in the state folder."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import click

from board_drivers.card_reader import SerialCardReader
from board_drivers.ports import DriverFault
from firmware_host.cribbage.cards import Card, parse_card
from firmware_host.cribbage.refusals import Refusal
from firmware_host.deck import Deck, TagTaken
from firmware_host.faults import HostFault
from firmware_host.settings import NONE, Settings, load_settings

LOOK_S = 0.05


@click.group("deck", short_help="Teach a tagged deck, card by card.")
def command() -> None:
    """A deck whose cards have RFID tags or bar codes, for a reader on a serial port."""


def for_deck(run: Callable[..., None]) -> Callable[..., None]:
    """The options of each of these commands; a fault is one line, and the end."""

    @click.option("--settings", "file", type=click.Path(path_type=Path), help="A settings file, cribboard.toml.")
    @click.option("--state-folder", help="Where the deck is kept, with the journal of all games.")
    @click.option("--card-reader", help="The reader's port, such as /dev/serial/by-id/usb-...")
    @click.option("--card-reader-baud", type=int, help="How fast it talks. [9600]")
    @wraps(run)
    def told(file: Path | None, **said: Any) -> None:
        others = {name: said.pop(name) for name in ("state_folder", "card_reader", "card_reader_baud")}
        try:
            settings = load_settings(file, os.environ, others)
            run(settings, Deck(settings.deck), **said)
        except (HostFault, DriverFault, Refusal) as fault:
            click.echo(str(fault), err=True)
            sys.exit(1)

    return told


@command.command("teach")
@for_deck
def teach(settings: Settings, deck: Deck) -> None:
    """Lay each card on the reader when it is asked for. Ctrl-C stops; what was taught is kept, and not asked again."""
    if settings.card_reader == NONE:
        mend = "name it: cribboard deck teach --card-reader /dev/serial/by-id/usb-..."
        raise HostFault("the port of a card reader", NONE, "card_reader", mend)
    reader = SerialCardReader(settings.card_reader, settings.card_reader_baud)
    try:
        reader.tags()  # whatever it read before the first card was asked for
        tags = tags_of(reader)
        for card in deck.missing:
            teach_card(deck, card, tags)
    finally:
        reader.close()
        click.echo(f"{len(deck.cards)} of 52 cards are taught: {settings.deck}")


def teach_card(deck: Deck, card: Card, tags: Iterator[str]) -> None:
    """Ask for one card until a tag comes that is no other card's."""
    click.echo(f"{card}? ", nl=False)
    for tag in tags:
        try:
            deck.teach(tag, card)
        except TagTaken as taken:
            click.echo(f"{taken}\n{card}? ", nl=False)
        else:
            click.echo(tag)
            return


def tags_of(reader: SerialCardReader) -> Iterator[str]:
    """Every tag as it is read, for ever. Raises DriverFault."""
    while True:
        yield from reader.tags()
        time.sleep(LOOK_S)


@command.command("show")
@for_deck
def show(settings: Settings, deck: Deck) -> None:
    """Every card that was taught, with its tag; then those that were not."""
    for tag, card in sorted(deck.cards.items(), key=lambda taught: taught[1]):
        click.echo(f"{card}\t{tag}")
    if deck.missing:
        click.echo(f"not taught: {' '.join(map(str, deck.missing))}")


@command.command("forget")
@click.argument("card")
@for_deck
def forget(settings: Settings, deck: Deck, card: str) -> None:
    """Take CARD out of the deck, so that it can be taught again with another tag."""
    deck.forget(parse_card(card))
