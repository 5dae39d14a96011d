"""Shuffles the pack of each deal where the program deals, and says who sees which hand."""

from __future__ import annotations

from collections.abc import Callable
from secrets import randbelow, token_hex

from firmware_host.cribbage.cards import Card
from firmware_host.game.commands import Command, DealPack, ShufflePack
from firmware_host.game.pack import NONCE_DIGITS, PACK_ORDERS, order_of
from firmware_host.host.parts.context import HostContext


def shuffled_pack() -> tuple[Card, ...]:
    """A pack in an order that nobody can foresee: every order is as likely as every other."""
    return order_of(randbelow(PACK_ORDERS))


class PackDealer:
    """Only the host thread uses it."""

    def __init__(self, context: HostContext) -> None:
        self._context = context
        self._shuffled_pack = shuffled_pack

    def shuffle(self, take: Callable[[Command], None]) -> None:
        """Shuffles where the game waits for it: after a deal began, also one that began before the last stop. `take`
        may raise JournalError; the next call tries again."""
        table = self._context.table
        if table is not None and table.awaits_pack:
            take(ShufflePack(self._shuffled_pack(), token_hex(NONCE_DIGITS // 2)))

    def addressed(self, command: Command) -> Command:
        """The command as it is. A deal from the board's keys shows the hands of free seats at the board itself."""
        table = self._context.table
        if isinstance(command, DealPack) and not command.shown_to and table is not None:
            return DealPack(self._context.pairing.registry.shows_hands(len(table.names), dealt_by=""))
        return command
