"""The commands of the API by name, each with its JSON body, which makes the host's command.

A body gets the visitor's own seat, which counts where the body names no seat. Cards that a phone enters are compared
only with cards that lie face up: a refusal must not tell what another hand holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from firmware_host.board.peg_source import PegSource
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as game
from firmware_host.game.events import Breach
from firmware_host.ui.keys import input_state
from firmware_host.ui.keys.input_state import SettleNow, UserCommand
from firmware_host.validation.typed import one_of
from web_panel.api.json_body import Body, Text, Texts, Whole, Wholes
from web_panel.errors import malformed


class NoSeat(Refusal):
    """The visitor's phone holds no seat."""

    kind = "no_seat"
    sentence = "Choose a seat first."


LevelName = Annotated[str, one_of(level.value for level in Level)]
BreachName = Annotated[
    str, one_of(each.value for each in (Breach.OVERRUN, Breach.FALSE_GAME, Breach.FOREIGN_PEG, Breach.FRONT_PEG))
]
Moment = Annotated[int, Meta(ge=0, lt=2**53)]
"""A number of turns: `moment` of the state."""


class CommandBody(Body, frozen=True, kw_only=True):
    """The body of a command. Its docstring becomes the summary of the route in OpenAPI.

    `moment`: that of the state to which the command answers. If the game has gone on since, it is refused, so that a
    double tap, a second phone or a request sent again does nothing twice. `idempotency_key`: for a command that counts
    at any moment, a text that its sender chooses anew for each tap; sent again with the same key, it counts once.
    """

    moment: Moment | None = None
    idempotency_key: Text | None = None

    def command(self, own: Seat | None) -> UserCommand:
        """The command for the host, by a visitor with this seat. Raises Refusal or Problem."""
        raise NotImplementedError


class NewGame(CommandBody, frozen=True):
    """Start a game: `variant`, `names`; optional `options`, `target`, `board`, `dealer` (null: cut), `scores`,
    `is_dealt` (the board deals the cards), and `levels`: by seat `beginner`, `club` or `expert` where the board plays,
    null for a person. `pegs`: `drawn` (on the page), `by_hand` (on people's own board) or `sensors`. A player who would
    end a game of others asks them first: see `agree-to-game`."""

    variant: Text
    names: Texts
    options: dict[str, Any] | None = None
    target: Whole | None = None
    board: Text | None = None
    dealer: Whole | None = None
    scores: Wholes | None = None
    is_dealt: bool | None = None
    levels: tuple[LevelName | None, ...] | None = None
    pegs: PegSource | None = None

    def command(self, own: Seat | None) -> UserCommand:
        options = self.options or {}
        rules = rules_for(self.variant, options if self.target is None else options | {"target": self.target})
        return game.StartGame(
            rules,
            self.names,
            self.board or "",
            dealer=optional_seat(self.dealer),
            scores=self.scores,
            is_dealt=bool(self.is_dealt),
            levels=tuple(None if level is None else Level(level) for level in self.levels or ()),
            pegs=self.pegs,
        )


class AgreeToGame(CommandBody, frozen=True):
    """Agree to the new game that another player asks for: the game that is on ends."""

    def command(self, own: Seat | None) -> UserCommand:
        return input_state.AgreeToGame(own)


class ChooseDealer(CommandBody, frozen=True):
    """The seat that won the cut deals first."""

    seat: Whole

    def command(self, own: Seat | None) -> UserCommand:
        return game.ChooseDealer(Seat(self.seat))


class DealHand(CommandBody, frozen=True):
    """Enter the cards dealt to the visitor's seat, or to a free one; an empty list removes them. Kept private."""

    cards: Texts
    seat: Whole | None = None

    def command(self, own: Seat | None) -> UserCommand:
        return game.DealHand(seat_or_own(self.seat, own), parse_cards(self.cards, rank_only=True), is_blind=True)


class DiscardCards(CommandBody, frozen=True):
    """Discard cards of the visitor's seat, or of a free one, to the crib."""

    cards: Texts
    seat: Whole | None = None

    def command(self, own: Seat | None) -> UserCommand:
        return game.DiscardCards(seat_or_own(self.seat, own), parse_cards(self.cards, rank_only=True))


class Bid(CommandBody, frozen=True):
    """Bid `points` for the crib; without `points`, pass."""

    points: Whole | None = None
    seat: Whole | None = None

    def command(self, own: Seat | None) -> UserCommand:
        return game.Bid(self.points, optional_seat(self.seat))


class PlayCard(CommandBody, frozen=True):
    """Play a card, by default for the seat in turn. With `says_goes` a card that passes 31 leads the next series: the
    seats that could not play say go in the same turn."""

    card: Text
    says_goes: bool | None = None
    seat: Whole | None = None

    def command(self, own: Seat | None) -> UserCommand:
        card = parse_card(self.card, rank_only=True)
        return game.PlayCard(card, optional_seat(self.seat), is_blind=True, says_goes=bool(self.says_goes))


class SayGo(CommandBody, frozen=True):
    """Say go, by default for the seat in turn."""

    seat: Whole | None = None

    def command(self, own: Seat | None) -> UserCommand:
        return game.SayGo(optional_seat(self.seat))


class CutStarter(CommandBody, frozen=True):
    """Enter the starter: `5H`, or `5` if its suit is not known."""

    card: Text

    def command(self, own: Seat | None) -> UserCommand:
        return game.CutStarter(parse_card(self.card, rank_only=True), is_blind=True)


class CountHand(CommandBody, frozen=True):
    """Count the next hand of the show. `cards` may be left out if the board knows them. Where a suit is not known and
    could matter the count is a minimum, unless `suits_were_asked`: then cards without a suit add nothing.

    With `seat` and `is_crib` no other hand is counted, however often the command arrives.
    """

    cards: Texts | None = None
    suits_were_asked: bool | None = None
    seat: Whole | None = None
    is_crib: bool | None = None

    def command(self, own: Seat | None) -> UserCommand:
        if (self.seat is None) is not (self.is_crib is None):
            raise malformed("seat and is_crib together", "one of them", "is_crib")
        cards = None if self.cards is None else parse_cards(self.cards, rank_only=True)
        return game.CountHand(cards, optional_seat(self.seat), self.is_crib, bool(self.suits_were_asked), is_blind=True)


class NextDeal(CommandBody, frozen=True):
    """Gather the cards and pass the deal on. `deal` is the number of the deal that ends, as the state has it: a request
    that arrives twice ends one deal."""

    deal: Whole

    def command(self, own: Seat | None) -> UserCommand:
        return game.NextDeal(self.deal)


class Misdeal(CommandBody, frozen=True):
    """Gather the cards before the play; the same dealer deals again. `is_exposed`: a card was seen, which costs nothing
    where a wrong number of cards costs two points. `deal`: as in next-deal."""

    deal: Whole | None = None
    is_exposed: bool | None = None

    def command(self, own: Seat | None) -> UserCommand:
        return game.Misdeal(self.deal, bool(self.is_exposed))


class ClaimMuggins(CommandBody, frozen=True):
    """Claim `points` that the other side missed, for `side`."""

    side: Whole
    points: Whole

    def command(self, own: Seat | None) -> UserCommand:
        return game.ClaimMuggins(self.side, self.points)


class EnterPoints(CommandBody, frozen=True):
    """Score `points` for a `side` whose pegs are not moved by hand."""

    side: Whole
    points: Whole

    def command(self, own: Seat | None) -> UserCommand:
        return game.EnterPoints(self.side, self.points)


class CorrectScore(CommandBody, frozen=True):
    """Set the score of a side, with a reason for the log."""

    side: Whole
    score: Whole
    reason: Text

    def command(self, own: Seat | None) -> UserCommand:
        return game.CorrectScore(self.side, self.score, self.reason)


class RuleBreach(CommandBody, frozen=True):
    """The players say that `side` broke a rule about pegs: `overrun`, `false_game`, `front_peg`, or `foreign_peg` with
    the `owner` of the peg."""

    side: Whole
    breach: BreachName
    owner: Whole | None = None

    def command(self, own: Seat | None) -> UserCommand:
        return game.RuleBreach(self.side, Breach(self.breach), self.owner)


class ConfirmResult(CommandBody, frozen=True):
    """Agree, for `side`, with the result of a game of a club night."""

    side: Whole

    def command(self, own: Seat | None) -> UserCommand:
        return game.ConfirmResult(self.side)


def optional_seat(number: int | None) -> Seat | None:
    """The seat with this number, if any."""
    return None if number is None else Seat(number)


def seat_or_own(number: int | None, own: Seat | None) -> Seat:
    """The seat in the body, else the visitor's own. Raises NoSeat."""
    named = own if number is None else Seat(number)
    if named is None:
        raise NoSeat("a seat in the body, or a seat that the phone holds", "neither", fix="take a seat first")
    return named


def without_fields(command: UserCommand, summary: str) -> type[CommandBody]:
    """The empty body of a command. `summary` becomes its description in OpenAPI."""

    class Empty(CommandBody, frozen=True):
        __doc__ = summary

        def command(self, own: Seat | None) -> UserCommand:
            return command

    return Empty


COMMANDS: Mapping[str, type[CommandBody]] = {
    "new-game": NewGame,
    "agree-to-game": AgreeToGame,
    "dealer": ChooseDealer,
    "deal-cards": without_fields(game.DealPack(), "Deal the shuffled pack, where the board deals the cards."),
    "turn-starter": without_fields(game.TurnStarter(), "Turn up the starter, where the board deals the cards."),
    "deal": DealHand,
    "discard": DiscardCards,
    "misdeal": Misdeal,
    "bid": Bid,
    "starter": CutStarter,
    "play": PlayCard,
    "go": SayGo,
    "show": without_fields(game.EndPlay(), "End the play and start the show."),
    "count": CountHand,
    "skip": without_fields(game.SkipHand(), "Skip the next hand of the show: its owner counts it without the board."),
    "next-deal": NextDeal,
    "claim": ClaimMuggins,
    "move": EnterPoints,
    "penalty": RuleBreach,
    "accept-pegs": without_fields(game.AcceptPegs(), "Accept the pegs where they are, whatever was owed."),
    "settle": without_fields(SettleNow(), "Accept pending peg moves now, without waiting for the pegs to hold still."),
    "correct": CorrectScore,
    "confirm-result": ConfirmResult,
    "undo": without_fields(game.Undo(), "Undo the last turn."),
    "redo": without_fields(game.Redo(), "Redo the turn that was undone last."),
}
"""Name in the path -> body, in the order in which a deal needs them."""
