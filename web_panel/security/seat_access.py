"""Who may send a command for a seat. A seat that a phone holds is played by that phone alone, or by the board's keys.

A phone must not find out another seat's cards by trial either: while others hold cards, refusals for a card that is
already known elsewhere are limited for each phone, and so is entering a hand again. Other commands are not.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from time import monotonic

from firmware_host.cribbage.rule_errors import DuplicateCard, FalseGo, Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands
from firmware_host.game.acting_seats import seats_of
from firmware_host.game.history import History
from firmware_host.game.rule_errors import CardNotHeld, CardSeenElsewhere
from firmware_host.game.state import Phase, Table
from firmware_host.pairing.registry import Phone, PhoneRegistry, Role
from firmware_host.ui.keys.input_state import AskForGame, UserCommand
from web_panel.security.identity import Visitor, phone_id

log = logging.getLogger(__name__)

MAX_PROBES = 5
PROBE_WINDOW_S = 300.0
"""How many cards known elsewhere a phone may name in five minutes. People mistype once or twice."""
MAX_ENTRIES = 40
"""How many hands a phone may enter in five minutes. A whole game has about twenty, for both sides."""
TRIALS = (
    commands.DealHand,
    commands.DiscardCards,
    commands.CutStarter,
    commands.PlayCard,
    commands.SayGo,
    commands.CountHand,
)
"""Commands whose refusal can depend on a card."""


class NotYourSeat(Refusal):
    """Another phone holds the seat."""

    kind = "not_your_seat"
    sentence = "Only {name} can do that, or the board’s keys."


class NotSeated(Refusal):
    """The phone has no seat, and others play this game from theirs."""

    kind = "not_seated"
    sentence = "Take a seat first, or ask {name} to do it."


class StillInHand(Refusal):
    """A seat that a phone holds has cards that were not played yet."""

    kind = "still_in_hand"
    sentence = "{name} still has cards. FN ENTER on the board ends the play."


class TooManyProbes(Refusal):
    """The phone named too many cards that are known elsewhere."""

    kind = "too_many_probes"
    sentence = "Too many cards that are already in use. Wait a few minutes, or use the board’s keys."


def check_seat(command: UserCommand, table: Table | None, visitor: Visitor, registry: PhoneRegistry) -> None:
    """Raises NotYourSeat if the command's seat is another's, or StillInHand if the play would end early."""
    if table is None:
        return
    check_is_counted_by_owner(command, table, visitor)
    check_is_confirmed_by_player(command, table, visitor)
    held = {phone.seat: phone for phone in registry.phones if phone.seat is not None}
    seats = seats_of(command, table)
    if visitor.seat not in seats:
        for seat, phone in held.items():
            if seat in seats:
                expected = f"a command from {phone.name}, who holds the seat"
                raise NotYourSeat(expected, "one from another phone", name=phone.name)
    if isinstance(command, commands.PlayCard) and command.says_goes:
        check_goes_are_own(table, held, visitor)
    if isinstance(command, commands.EndPlay):
        check_hands_are_empty(table, held)


def check_may_play(command: UserCommand, table: Table | None, visitor: Visitor, registry: PhoneRegistry) -> None:
    """Raises NotSeated for a phone without a seat while others have seats: it may watch, take a seat, and begin the
    next game. Where no phone has a seat, one phone may keep the game for everybody. A keeper's phone always may."""
    if table is None or visitor.role >= Role.KEEPER or visitor.seat is not None:
        return
    if isinstance(command, commands.StartGame) and table.phase is Phase.OVER:
        return
    for phone in registry.phones:
        if phone.seat is not None and phone.seat < len(table.names):
            fix = "take a seat, or change the setting seatless_play"
            raise NotSeated("a command from a phone with a seat", "one without", fix=fix, name=phone.name)


def asked_first(
    command: commands.StartGame, history: History, visitor: Visitor, registry: PhoneRegistry
) -> UserCommand:
    """The command, or the question for it: a player who would end a game that others play by phones asks them first.

    Nobody is asked where no other phone has a seat, before the first turn, after the end, and by somebody without a
    seat: a keeper, the board's own computer, or its keys.
    """
    table = history.table
    if table is None or table.phase is Phase.OVER or table.is_demo or not history.can_undo:
        return command
    if visitor.seat is None or visitor.seat >= len(table.names):
        return command
    others = [phone for phone in registry.phones if phone.seat not in (None, visitor.seat)]
    if not any(phone.seat in table.rules.seats for phone in others):
        return command
    return AskForGame(visitor.seat, table.names[visitor.seat], command)


def check_goes_are_own(table: Table, held: Mapping[Seat, Phone], visitor: Visitor) -> None:
    """Raises NotYourSeat where a card would say go for a seat that another phone holds."""
    play = table.deal.play if table.deal else None
    for seat, phone in held.items():
        if play and seat != visitor.seat and seat < len(play.left) and play.left[seat] and seat not in play.passed:
            expected = f"a go from {phone.name}, who holds the seat"
            raise NotYourSeat(expected, "one from another phone", name=phone.name)


def check_is_counted_by_owner(command: UserCommand, table: Table, visitor: Visitor) -> None:
    """Raises NotYourSeat if a player skips a hand of somebody else, or gathers the cards before it is counted.

    A keeper may, and so may the board itself: on a simulated board its own computer is an owner.
    """
    if visitor.role >= Role.KEEPER or not isinstance(command, commands.SkipHand | commands.NextDeal):
        return
    for seat in uncounted_seats(table)[: 1 if isinstance(command, commands.SkipHand) else None]:
        if seat != visitor.seat:
            name = table.names[seat]
            raise NotYourSeat(f"a command from {name}, whose hand it is, or from a keeper", "another", name=name)


def check_is_confirmed_by_player(command: UserCommand, table: Table, visitor: Visitor) -> None:
    """Raises NotYourSeat if a phone confirms the result of a club game for somebody else. A keeper may: that is the
    phone of the board's owner, who has its keys too."""
    if visitor.role >= Role.KEEPER or not isinstance(command, commands.ConfirmResult):
        return
    if 0 <= command.side < len(table.rules.sides) and visitor.seat not in table.rules.sides[command.side]:
        name = table.side_name(command.side)
        raise NotYourSeat(f"a command from {name}, whose result it is, or from a keeper", "another", name=name)


def uncounted_seats(table: Table) -> tuple[Seat, ...]:
    """The owners of the hands and cribs that are still to be counted, in show order; empty outside the show."""
    if table.to_count is None or table.deal is None:
        return ()
    order = table.rules.show_order(table.deal.dealer, table.deal.owner)
    return tuple(showing.seat for showing in order[table.deal.counted :])


def check_hands_are_empty(table: Table, held: Mapping[Seat, Phone]) -> None:
    """Raises StillInHand while a held seat has cards: ending the play early would show them."""
    for seat, phone in held.items():
        if table.deal and seat < len(table.names) and table.deal.in_hand(seat):
            got = f"cards that {phone.name} still holds"
            fix = "the board's keys can end the play: FN ENTER"
            raise StillInHand("every card played", got, fix=fix, name=phone.name)


def has_private_cards(table: Table | None, seat: Seat) -> bool:
    """Whether cards of the seat were entered and not all shown yet: nobody else may take the seat before."""
    if table is None or table.deal is None or table.phase in (Phase.GATHER, Phase.OVER) or seat >= len(table.names):
        return False
    return bool(table.deal.dealt[seat] or table.deal.kept[seat])


def others_hold_seats(visitor: Visitor, registry: PhoneRegistry) -> bool:
    """Whether another phone has a seat, and so cards of its own."""
    return any(phone.seat is not None and phone.id != phone_id(visitor.phone) for phone in registry.phones)


class ProbeLimit:
    """Counts for each phone the refusals that reveal where a card is. `clock` returns seconds. Any thread may call."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._probes = dict[str, list[float]]()
        self._entries = dict[str, list[float]]()

    @contextmanager
    def trial(self, command: UserCommand, visitor: Visitor) -> Iterator[None]:
        """The command is submitted in this block. Raises TooManyProbes before it."""
        self._check(command, visitor)
        try:
            yield
        except Refusal as refusal:
            self._note(refusal, visitor)
            raise
        self._note_accepted(command, visitor)

    def _check(self, command: UserCommand, visitor: Visitor) -> None:
        """Raises TooManyProbes for one of TRIALS after MAX_PROBES refusals, or MAX_ENTRIES hands, within
        PROBE_WINDOW_S."""
        if not isinstance(command, TRIALS):
            return
        with self._lock:
            probes = self._recent(self._probes, visitor)
            entries = self._recent(self._entries, visitor)
        fix = "wait some minutes, or use the keys of the board"
        if len(probes) >= MAX_PROBES:
            expected = f"cards that are known nowhere else, after {MAX_PROBES} that are"
            raise TooManyProbes(expected, "another try", fix=fix)
        if enters_hand(command) and len(entries) >= MAX_ENTRIES:
            log.warning("phone %s enters its hand too often", phone_id(visitor.phone) or "of this computer")
            raise TooManyProbes(f"at most {MAX_ENTRIES} hands in {PROBE_WINDOW_S:.0f} s", "one more", fix=fix)

    def _note(self, refusal: Refusal, visitor: Visitor) -> None:
        """Count the refusal if it tells where a card is: elsewhere, or not in a hand that is not the visitor's."""
        if isinstance(refusal, CardSeenElsewhere | DuplicateCard) or (
            isinstance(refusal, CardNotHeld | FalseGo) and visitor.seat is None
        ):
            with self._lock:
                self._recent(self._probes, visitor).append(self._clock())

    def _note_accepted(self, command: UserCommand, visitor: Visitor) -> None:
        """Count the command if it entered a hand."""
        if enters_hand(command):
            with self._lock:
                recent = self._recent(self._entries, visitor)
                recent.append(self._clock())
            if len(recent) > 1:
                log.info("phone %s entered a hand: %d in %.0f s", phone_id(visitor.phone), len(recent), PROBE_WINDOW_S)

    def _recent(self, times: dict[str, list[float]], visitor: Visitor) -> list[float]:
        since_s = self._clock() - PROBE_WINDOW_S
        recent = [at_s for at_s in times.get(phone_id(visitor.phone), ()) if at_s > since_s]
        times[phone_id(visitor.phone)] = recent
        return recent


def enters_hand(command: UserCommand) -> bool:
    """Whether the command enters the cards of a hand."""
    return isinstance(command, commands.DealHand) and bool(command.cards)
