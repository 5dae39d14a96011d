"""What is the asker's own: its rights, its seat, its hand, and advice on it. Nobody else is ever told."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from flask import Blueprint, Response, jsonify

from firmware_host.cribbage.advice import Discard, advise
from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.options import PlayFlush
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.series import layable
from firmware_host.host import Host
from firmware_host.phones import Phone, PhoneBook, SeatTaken
from firmware_host.table.advice_entry import of_mixed_suits
from firmware_host.table.refusals import CardsUntold, NoGame
from firmware_host.table.showing import known_cards
from firmware_host.table.starting import check_seat
from firmware_host.table.state import Deal, Table
from web_panel.body import nothing, takes
from web_panel.entrance import told_of
from web_panel.problems import Problem
from web_panel.roles import asking, orders_of
from web_panel.seats import is_told
from web_panel.visitors import take_away
from web_panel.wishes import NoSeat, seat_if_told

BEST = 5
"""Ways to lay away that advice tells."""


class SeatInPlay(SeatTaken):
    """The cards of the seat were told by somebody else."""

    sentence = "{name}'s cards were told already: wait for the next deal"


class NoPhone(NoSeat):
    """Whoever asks has come in without a name."""

    sentence = "This phone was not let in yet"


def make_my(host: Host, gives_advice: Callable[[Table], bool]) -> Blueprint:
    """`gives_advice` says whether the manner of the game allows advice."""
    api = Blueprint("my", __name__, url_prefix="/api/v1/my")
    book = host.porch.book

    @api.get("")
    def me() -> Response:
        """The asker: role, phone, seat; and who holds the other seats."""
        return private(myself(host.snapshot.table, book))

    @api.post("/seat")
    @takes(lambda body: seat_if_told(body, "seat"))
    def sit(seat: Seat | None) -> Response:
        """Take a seat that is free, or none."""
        phone = own_phone()
        if seat is not None:
            check_free(host.snapshot.table, seat, phone)
        book.sit(phone.id, seat)
        return private(myself(host.snapshot.table, book))

    @api.post("/leave")
    @takes(nothing)
    def leave(told: None) -> Response:
        """Give the token back: this phone has to be let in anew."""
        phone = asking().phone
        if phone:
            book.remove(phone.id)
        return take_away(Response(status=HTTPStatus.NO_CONTENT))

    @api.get("/hand")
    def hand() -> Response:
        """The cards of the asker's seat, as far as they were told."""
        table, deal, seat = my_deal(host.snapshot.table)
        return private(hand_of(table, deal, seat) | turn_of(table, deal, seat) | {"has_advice": gives_advice(table)})

    @api.get("/advice")
    def advice() -> Response:
        """The best ways to lay away, with what each is worth on average."""
        table, deal, seat = my_deal(host.snapshot.table)
        if not gives_advice(table):
            raise Problem(HTTPStatus.FORBIDDEN, "expected a game with advice, got one without")
        return private({"discards": told_discards(best_discards(table, deal, seat), deal.dealt[seat])})

    return api


def private(told: dict[str, object]) -> Response:
    answer = jsonify(told)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def myself(table: Table | None, book: PhoneBook) -> dict[str, object]:
    visitor = asking()
    phone = visitor.phone and book.find(visitor.phone.id)
    holders = {other.seat: other.name for other in book.phones}
    seats = [
        {"name": name, "held_by": holders.get(Seat(seat))} for seat, name in enumerate(table.names if table else ())
    ]
    return {
        "role": visitor.role.name.lower(),
        "is_newcomer": visitor.is_newcomer,
        "phone": told_of(phone) if phone else None,
        "seat": phone.seat if phone else None,
        "seats": seats,
        "may": orders_of(visitor.role),
    }


def own_phone() -> Phone:
    if phone := asking().phone:
        return phone
    raise NoPhone("a phone that was let in", "a visitor without a name", mend="walk in with a name, or knock")


def check_free(table: Table | None, seat: Seat, phone: Phone) -> None:
    """Raises where no game has the seat, or where its cards were told by somebody else."""
    if table is None:
        raise NoGame("a game under way", "none", mend="start one first")
    check_seat(seat, len(table.names))
    if seat != phone.seat and is_told(table, seat):
        name = table.names[seat]
        raise SeatInPlay("a seat whose cards are not told yet", name, mend="wait for the next deal", name=name)


def my_deal(table: Table | None) -> tuple[Table, Deal, Seat]:
    """Raises NoSeat or NoGame."""
    seat = asking().seat
    if seat is None:
        raise NoSeat("a seat of yours", "none", mend="take a seat first")
    if table is None or table.deal is None:
        raise NoGame("a deal under way", "none", mend="start a game first")
    check_seat(seat, len(table.names))
    return table, table.deal, seat


def hand_of(table: Table, deal: Deal, seat: Seat) -> dict[str, object]:
    """Cards as on the wire: `5H`, or `5` where the suit was not told. `to_deal`, `to_lay_away` and `to_keep`
    count cards."""
    return {
        "deal": deal.number,
        "seat": seat,
        "name": table.names[seat],
        "phase": table.phase.value,
        "dealt": told_cards(deal.dealt[seat]),
        "laid_away": told_cards(deal.laid_away[seat]),
        "kept": told_cards(deal.kept[seat]),
        "in_hand": told_cards(deal.in_hand(seat)),
        "to_deal": table.rules.cards_dealt(seat, deal.dealer),
        "to_lay_away": table.rules.cards_laid_away(seat, deal.dealer),
        "to_keep": table.rules.hand_size,
        "needs_suits": table.rules.play_flush is not PlayFlush.OFF,
    }


def turn_of(table: Table, deal: Deal, seat: Seat) -> dict[str, object]:
    """What the seat may do with its cards now: which it may lay, and which hand or crib it is to show, if known."""
    is_to_play = table.to_play == seat and deal.play is not None
    shows = table.to_count if table.to_count and table.to_count.seat == seat else None
    return {
        "is_to_play": is_to_play,
        "fits": told_cards(layable(deal.in_hand(seat), deal.play.count)) if is_to_play and deal.play else [],
        "to_show": shows and {"is_crib": shows.is_crib, "cards": told_cards(known_cards(table, seat, shows.is_crib))},
    }


def best_discards(table: Table, deal: Deal, seat: Seat) -> tuple[Discard, ...]:
    """Where a suit is not told, no flush is reckoned with. Raises CardsUntold, or what `advise` refuses."""
    dealt = deal.dealt[seat]
    if not dealt or deal.starter:
        raise CardsUntold("cards that were dealt and not laid away yet", "none", mend="tell what you were dealt")
    cards = of_mixed_suits(dealt) if any(card.suit is None for card in dealt) else dealt
    owner = deal.dealer if deal.owner is None else deal.owner
    own_crib = table.rules.side_of(seat) == table.rules.side_of(owner)
    return advise(cards, table.rules, own_crib=own_crib)


def told_discards(discards: tuple[Discard, ...], dealt: tuple[Card, ...]) -> list[dict[str, object]]:
    """The best of them. Suits that the asker did not tell are not made up, so some ways become one."""
    told = dict[tuple[str, ...], Discard]()
    for discard in discards:
        told.setdefault(tuple(str(card) if card in dealt else card.letter for card in discard.laid_away), discard)
    return [{"lay_away": [*away], **means_of(discard)} for away, discard in [*told.items()][:BEST]]


def means_of(discard: Discard) -> dict[str, float]:
    """In points, rounded to a hundredth."""
    means = {"hand": discard.hand, "crib": discard.crib, "total": discard.total}
    return {name: round(float(mean), 2) for name, mean in means.items()}


def told_cards(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]
