"""The commands of the API by name, each with the reader that turns its JSON body into the host's command.

A reader gets the body and the visitor's own seat, which counts where the body names no seat. Cards that a phone enters
are compared only with cards that lie face up: a refusal must not tell what another hand holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as game
from firmware_host.ui.input_state import SettleNow, UserCommand
from web_panel.api.json_body import JsonBody

CommandReader = Callable[[JsonBody, Seat | None], UserCommand]


class NoSeat(Refusal):
    """The visitor's phone holds no seat."""

    kind = "no_seat"
    sentence = "Choose a seat first."


def new_game(body: JsonBody, own: Seat | None) -> UserCommand:
    """Start a game: `variant`, `names`; optional `options`, `target`, `board`, `dealer` (null: cut), `scores`."""
    options = dict(body.mapping("options"))
    target = body.optional_integer("target")
    return game.StartGame(
        rules_for(body.text("variant"), options if target is None else options | {"target": target}),
        body.texts("names"),
        body.optional_text("board") or "",
        dealer=optional_seat(body, "dealer"),
        scores=body.optional_integers("scores"),
    )


def choose_dealer(body: JsonBody, own: Seat | None) -> UserCommand:
    """The seat that won the cut deals first."""
    return game.ChooseDealer(Seat(body.integer("seat")))


def deal_hand(body: JsonBody, own: Seat | None) -> UserCommand:
    """Enter the cards dealt to the visitor's seat, or to a free one; an empty list removes them. Kept private."""
    return game.DealHand(seat_of(body, own), parse_cards(body.texts("cards"), rank_only=True), is_blind=True)


def discard(body: JsonBody, own: Seat | None) -> UserCommand:
    """Discard cards of the visitor's seat, or of a free one, to the crib."""
    return game.DiscardCards(seat_of(body, own), parse_cards(body.texts("cards"), rank_only=True))


def bid(body: JsonBody, own: Seat | None) -> UserCommand:
    """Bid `points` for the crib; without `points`, pass."""
    return game.Bid(body.optional_integer("points"), optional_seat(body, "seat"))


def play_card(body: JsonBody, own: Seat | None) -> UserCommand:
    """Play a card, by default for the seat in turn. With `says_goes` a card that passes 31 leads the next series: the
    seats that could not play say go in the same turn."""
    card = parse_card(body.text("card"), rank_only=True)
    says_goes = body.flag("says_goes", default=False)
    return game.PlayCard(card, optional_seat(body, "seat"), is_blind=True, says_goes=says_goes)


def say_go(body: JsonBody, own: Seat | None) -> UserCommand:
    """Say go, by default for the seat in turn."""
    return game.SayGo(optional_seat(body, "seat"))


def cut_starter(body: JsonBody, own: Seat | None) -> UserCommand:
    """Enter the starter: `5H`, or `5` if its suit is not known."""
    return game.CutStarter(parse_card(body.text("card"), rank_only=True), is_blind=True)


def count_hand(body: JsonBody, own: Seat | None) -> UserCommand:
    """Count the next hand of the show. `cards` may be left out if the board knows them. Where a suit is not known and
    could matter the count is a minimum, unless `suits_were_asked`: then cards without a suit add nothing.

    With `seat` and `is_crib` no other hand is counted, however often the command arrives.
    """
    cards = body.optional_texts("cards")
    suits_were_asked = body.flag("suits_were_asked", default=False)
    seat = optional_seat(body, "seat")
    is_crib = None if seat is None else body.flag("is_crib")
    known = None if cards is None else parse_cards(cards, rank_only=True)
    return game.CountHand(known, seat, is_crib, suits_were_asked, is_blind=True)


def next_deal(body: JsonBody, own: Seat | None) -> UserCommand:
    """Gather the cards and pass the deal on. `deal` is the number of the deal that ends, as the state has it: a request
    that arrives twice ends one deal."""
    return game.NextDeal(body.integer("deal"))


def claim_muggins(body: JsonBody, own: Seat | None) -> UserCommand:
    """Claim `points` that the other side missed, for `side`."""
    return game.ClaimMuggins(body.integer("side"), body.integer("points"))


def enter_points(body: JsonBody, own: Seat | None) -> UserCommand:
    """Score `points` for a `side` whose pegs are not moved by hand."""
    return game.EnterPoints(body.integer("side"), body.integer("points"))


def correct_score(body: JsonBody, own: Seat | None) -> UserCommand:
    """Set the score of a side, with a reason for the log."""
    return game.CorrectScore(body.integer("side"), body.integer("score"), body.text("reason"))


def confirm_result(body: JsonBody, own: Seat | None) -> UserCommand:
    """Agree, for `side`, with the result of a game of a club night."""
    return game.ConfirmResult(body.integer("side"))


def optional_seat(body: JsonBody, field: str) -> Seat | None:
    """The seat in a field that may be left out or null. Raises Problem."""
    seat = body.optional_integer(field)
    return None if seat is None else Seat(seat)


def seat_of(body: JsonBody, own: Seat | None) -> Seat:
    """The seat in the body, else the visitor's own. Raises NoSeat or Problem."""
    named = optional_seat(body, "seat")
    seat = own if named is None else named
    if seat is None:
        raise NoSeat("a seat in the body, or a seat that the phone holds", "neither", fix="take a seat first")
    return seat


def without_body(command: UserCommand, summary: str) -> CommandReader:
    """The reader of a command without fields. `summary` becomes its description in OpenAPI."""

    def read(body: JsonBody, own: Seat | None) -> UserCommand:
        return command

    read.__doc__ = summary
    return read


COMMANDS: Mapping[str, CommandReader] = {
    "new-game": new_game,
    "dealer": choose_dealer,
    "deal": deal_hand,
    "discard": discard,
    "misdeal": without_body(game.Misdeal(), "Gather the cards before the play; the same dealer deals again."),
    "bid": bid,
    "starter": cut_starter,
    "play": play_card,
    "go": say_go,
    "show": without_body(game.EndPlay(), "End the play and start the show."),
    "count": count_hand,
    "skip": without_body(game.SkipHand(), "Skip the next hand of the show: its owner counts it without the board."),
    "next-deal": next_deal,
    "claim": claim_muggins,
    "move": enter_points,
    "accept-pegs": without_body(game.AcceptPegs(), "Accept the pegs where they are, whatever was owed."),
    "settle": without_body(SettleNow(), "Accept pending peg moves now, without waiting for the pegs to hold still."),
    "correct": correct_score,
    "confirm-result": confirm_result,
    "undo": without_body(game.Undo(), "Undo the last turn."),
    "redo": without_body(game.Redo(), "Redo the turn that was undone last."),
}
"""Name in the path -> reader, in the order in which a deal needs them."""
