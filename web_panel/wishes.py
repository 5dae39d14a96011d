"""Orders by their names on the wire, and how the body of each becomes what the host is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.table import orders as o
from firmware_host.table.entries import SettleNow, Wish
from web_panel.body import Body


def new_game(body: Body) -> Wish:
    """`variant`, `names`, and perhaps `options`, `target`, `board`, `dealer` (none: cut for it) and `scores`."""
    options = dict(body.table_if_told("options"))
    target = body.whole_if_told("target")
    return o.StartGame(
        rules_for(body.text("variant"), options if target is None else options | {"target": target}),
        body.texts("names"),
        body.text_if_told("board") or "",
        dealer=seat_if_told(body, "dealer"),
        scores=body.wholes_if_told("scores"),
    )


def choose_dealer(body: Body) -> Wish:
    return o.ChooseDealer(Seat(body.whole("seat")))


def play_card(body: Body) -> Wish:
    return o.PlayCard(parse_card(body.text("card"), rank_only=True), seat_if_told(body, "seat"))


def say_go(body: Body) -> Wish:
    return o.SayGo(seat_if_told(body, "seat"))


def cut_starter(body: Body) -> Wish:
    return o.CutStarter(parse_card(body.text("card"), rank_only=True))


def bid(body: Body) -> Wish:
    """Without `points`: passes."""
    return o.Bid(body.whole_if_told("points"))


def claim_muggins(body: Body) -> Wish:
    return o.ClaimMuggins(body.whole("side"), body.whole("points"))


def count_next(body: Body) -> Wish:
    """`cards` may be left out where the table knows them."""
    told = body.texts_if_told("cards")
    return o.CountNext(None if told is None else parse_cards(told, rank_only=True))


def correct_score(body: Body) -> Wish:
    return o.CorrectScore(body.whole("side"), body.whole("score"), body.text("reason"))


def seat_if_told(body: Body, field: str) -> Seat | None:
    seat = body.whole_if_told(field)
    return None if seat is None else Seat(seat)


WISHES: Mapping[str, Callable[[Body], Wish]] = {
    "new-game": new_game,
    "dealer": choose_dealer,
    "bid": bid,
    "starter": cut_starter,
    "play": play_card,
    "go": say_go,
    "show": lambda body: o.EndPlay(),
    "count": count_next,
    "skip": lambda body: o.SkipCount(),
    "claim": claim_muggins,
    "next-deal": lambda body: o.GatherCards(),
    "misdeal": lambda body: o.Misdeal(),
    "let-it-stand": lambda body: o.LetItStand(),
    "settle": lambda body: SettleNow(),
    "correct": correct_score,
    "undo": lambda body: o.Undo(),
    "redo": lambda body: o.Redo(),
}
"""In the order in which a deal needs them."""
