"""`cribboard deck`: records which tag belongs to which card, in a file in the state folder."""

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
from board_drivers.ports import DriverError
from firmware_host.cli.command_group import CommandGroup
from firmware_host.config.card_tags import CardTags, TagInUse
from firmware_host.config.settings import NONE, Settings
from firmware_host.cribbage.cards import Card, parse_card
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.startup.own_user import load_settings

POLL_S = 0.05
"""Seconds between two polls of the reader."""


@click.group("deck", cls=CommandGroup)
def command() -> None:
    """A deck whose cards have RFID tags or bar codes, for a reader on a serial port."""


def for_deck(run: Callable[..., None]) -> Callable[..., None]:
    """Adds the options that these commands share, and prints an error as one line."""

    @click.option("--settings", "file", type=click.Path(path_type=Path), help="A settings file, cribboard.toml.")
    @click.option("--state-folder", help="Where the card tags are stored, beside the journal.")
    @click.option("--card-reader", help="The reader's port, such as /dev/serial/by-id/usb-...")
    @click.option("--card-reader-baud", type=int, help="Its speed in baud. [9600]")
    @wraps(run)
    def run_for_deck(file: Path | None, **arguments: Any) -> None:
        others = {name: arguments.pop(name) for name in ("state_folder", "card_reader", "card_reader_baud")}
        try:
            settings = load_settings(file, os.environ, others)
            run(settings, CardTags(settings.card_tags), **arguments)
        except (HostError, DriverError, Refusal) as error:
            click.echo(str(error), err=True)
            sys.exit(1)

    return run_for_deck


@command.command("teach")
@for_deck
def assign(settings: Settings, card_tags: CardTags) -> None:
    """Put each card on the reader when its name appears. Ctrl-C stops; the next run goes on with the cards left."""
    if settings.card_reader == NONE:
        fix = "name it: cribboard deck teach --card-reader /dev/serial/by-id/usb-..."
        raise HostError("the port of a card reader", NONE, "card_reader", fix)
    reader = SerialCardReader(settings.card_reader, settings.card_reader_baud)
    try:
        reader.tags()  # drop what was read before the first prompt
        tags = tags_of(reader)
        for card in card_tags.untagged:
            register_card(card_tags, card, tags)
    finally:
        reader.close()
        click.echo(f"{len(card_tags.cards)} of 52 cards are registered: {settings.card_tags}")


def register_card(card_tags: CardTags, card: Card, tags: Iterator[str]) -> None:
    """Prompts for one card until a tag is read that belongs to no other card."""
    click.echo(f"{card}? ", nl=False)
    for tag in tags:
        try:
            card_tags.assign(tag, card)
        except TagInUse as error:
            click.echo(f"{error}\n{card}? ", nl=False)
        else:
            click.echo(tag)
            return


def tags_of(reader: SerialCardReader) -> Iterator[str]:
    """Every tag as it is read, without end. Raises DriverError."""
    while True:
        yield from reader.tags()
        time.sleep(POLL_S)


@command.command("show")
@for_deck
def show(settings: Settings, card_tags: CardTags) -> None:
    """List every registered card with its tag, then the missing ones."""
    for tag, card in sorted(card_tags.cards.items(), key=lambda entry: entry[1]):
        click.echo(f"{card}\t{tag}")
    if card_tags.untagged:
        click.echo(f"missing: {' '.join(map(str, card_tags.untagged))}")


@command.command("forget")
@click.argument("card")
@for_deck
def remove(settings: Settings, card_tags: CardTags, card: str) -> None:
    """Remove CARD, so that it can be registered with another tag."""
    card_tags.remove(parse_card(card))
