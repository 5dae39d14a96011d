"""Orders by their names on the wire, and how the body of each becomes what the host is asked for.

Each is read with the body and the asker's own seat, which stands for itself where no seat is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.table import orders as o
from firmware_host.table.entries import SettleNow, Wish
from web_panel.body import Body

WishReader = Callable[[Body, Seat | None], Wish]


class NoSeat(Refusal):
    """The asker's phone holds no seat."""

    kind = "no_seat"
    sentence = "Take a seat first"


def new_game(body: Body, own: Seat | None) -> Wish:
    """Begin a game: `variant`, `names`, perhaps `options`, `target`, `board`, `dealer` (none: cut for it), `scores`."""
    options = dict(body.table_if_told("options"))
    target = body.whole_if_told("target")
    return o.StartGame(
        rules_for(body.text("variant"), options if target is None else options | {"target": target}),
        body.texts("names"),
        body.text_if_told("board") or "",
        dealer=seat_if_told(body, "dealer"),
        scores=body.wholes_if_told("scores"),
    )


def choose_dealer(body: Body, own: Seat | None) -> Wish:
    """Who won the cut."""
    return o.ChooseDealer(Seat(body.whole("seat")))


def deal_hand(body: Body, own: Seat | None) -> Wish:
    """What the asker's seat, or a free one, was dealt; no cards take it back. Nobody else is told."""
    return o.DealHand(seat_of(body, own), parse_cards(body.texts("cards"), rank_only=True))


def lay_away(body: Body, own: Seat | None) -> Wish:
    """What the asker's seat, or a free one, lays away for the crib."""
    return o.LayAway(seat_of(body, own), parse_cards(body.texts("cards"), rank_only=True))


def bid(body: Body, own: Seat | None) -> Wish:
    """A price for the crib; no `points`: pass."""
    return o.Bid(body.whole_if_told("points"), seat_if_told(body, "seat"))


def play_card(body: Body, own: Seat | None) -> Wish:
    """A card laid by whoever is to play."""
    return o.PlayCard(parse_card(body.text("card"), rank_only=True), seat_if_told(body, "seat"))


def say_go(body: Body, own: Seat | None) -> Wish:
    """Whoever is to play says go."""
    return o.SayGo(seat_if_told(body, "seat"))


def cut_starter(body: Body, own: Seat | None) -> Wish:
    """The card turned up: `5H`, or `5` where its suit is not told."""
    return o.CutStarter(parse_card(body.text("card"), rank_only=True))


def count_next(body: Body, own: Seat | None) -> Wish:
    """Count the next hand of the show. `cards` may be left out where the table knows them."""
    told = body.texts_if_told("cards")
    return o.CountNext(None if told is None else parse_cards(told, rank_only=True))


def claim_muggins(body: Body, own: Seat | None) -> Wish:
    """The side says that the other overlooked so many points."""
    return o.ClaimMuggins(body.whole("side"), body.whole("points"))


def move_points(body: Body, own: Seat | None) -> Wish:
    """The side moves so many points, where it does not move its pegs by hand."""
    return o.MovePoints(body.whole("side"), body.whole("points"))


def correct_score(body: Body, own: Seat | None) -> Wish:
    """Set a score right, with the reason."""
    return o.CorrectScore(body.whole("side"), body.whole("score"), body.text("reason"))


def seat_if_told(body: Body, field: str) -> Seat | None:
    seat = body.whole_if_told(field)
    return None if seat is None else Seat(seat)


def seat_of(body: Body, own: Seat | None) -> Seat:
    """The seat that is told, or else the asker's. Raises NoSeat."""
    told = seat_if_told(body, "seat")
    seat = own if told is None else told
    if seat is None:
        raise NoSeat("a seat of yours, or a seat told", "neither", mend="take a seat first")
    return seat


def at_once(order: Wish, sentence: str) -> WishReader:
    """An order that says it all by its name."""

    def read(body: Body, own: Seat | None) -> Wish:
        return order

    read.__doc__ = sentence
    return read


WISHES: Mapping[str, WishReader] = {
    "new-game": new_game,
    "dealer": choose_dealer,
    "deal": deal_hand,
    "lay-away": lay_away,
    "misdeal": at_once(o.Misdeal(), "The cards are gathered before the play; the same dealer deals again."),
    "bid": bid,
    "starter": cut_starter,
    "play": play_card,
    "go": say_go,
    "show": at_once(o.EndPlay(), "The play is over: on to the show."),
    "count": count_next,
    "skip": at_once(o.SkipCount(), "The next hand of the show is counted by its owner alone."),
    "next-deal": at_once(o.GatherCards(), "The cards are gathered; the deal passes on."),
    "claim": claim_muggins,
    "move": move_points,
    "let-it-stand": at_once(o.LetItStand(), "The pegs are right as they stand, whatever was due."),
    "settle": at_once(SettleNow(), "Believe the pegs as they stand, now."),
    "correct": correct_score,
    "undo": at_once(o.Undo(), "Take the last turn back."),
    "redo": at_once(o.Redo(), "Bring the last turn back again."),
}
"""In the order in which a deal needs them."""
