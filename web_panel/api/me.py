"""The visitor's own data: role, seat, hand, and advice on the hand (advice.py). None of it is sent to anybody else."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from flask import Blueprint, Response, jsonify
from msgspec.structs import replace

from firmware_host.cribbage.cards import Card
from firmware_host.cribbage.options import PlayFlush
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.series import playable_cards
from firmware_host.game.deal import Deal
from firmware_host.game.dealing import check_seat
from firmware_host.game.history import History
from firmware_host.game.known_scores import known_cards
from firmware_host.game.rule_errors import NoGame
from firmware_host.game.state import Table
from firmware_host.host.loop import Host
from firmware_host.pairing.registry import Phone, PhoneRegistry, SeatTaken
from web_panel.api.advice import best_cards, best_discards, discards_json
from web_panel.api.commands import NoSeat, optional_seat
from web_panel.api.json_body import Body, Whole, reads_json
from web_panel.api.pairing import phone_json
from web_panel.errors import Problem
from web_panel.json_type import Json
from web_panel.security.hand_owners import HandOwners
from web_panel.security.identity import clear_token_cookie, phone_id
from web_panel.security.permissions import commands_of, current_visitor
from web_panel.security.seat_access import has_private_cards


class SeatInPlay(SeatTaken):
    """The cards of the seat were entered by somebody else."""

    sentence = "{name}’s cards are already entered. Wait for the next deal."


class NoPhone(NoSeat):
    """The visitor is not a paired phone."""

    sentence = "Add this phone first."


class SeatBody(Body, frozen=True):
    """The number of a seat, or null."""

    seat: Whole | None = None


def make_me(host: Host, gives_advice: Callable[[Table], bool], owners: HandOwners) -> Blueprint:
    """The routes under /api/v1/me. `gives_advice` says whether this game allows advice."""
    api = Blueprint("me", __name__, url_prefix="/api/v1/me")
    registry = host.pairing.registry

    @api.get("")
    def me() -> Response:
        """The visitor's role, phone, seat and commands, and who holds the other seats."""
        return private(visitor_json(host.snapshot.table, registry))

    @api.post("/seat")
    @reads_json(SeatBody)
    def take_seat(body: SeatBody) -> Response:
        """Take a free seat, or leave one's own (null)."""
        phone = own_phone()
        seat = optional_seat(body.seat)
        if seat is not None:
            check_free(host.snapshot.table, seat, phone)
        registry.set_seat(phone.id, seat, host.turn_count)
        return private(visitor_json(host.snapshot.table, registry))

    @api.post("/leave")
    @reads_json(Body)
    def leave(body: Body) -> Response:
        """Give the token back: the phone must then be paired again."""
        phone = current_visitor().phone
        if phone:
            registry.check_other_owner(phone)
            registry.remove(phone.id)
        return clear_token_cookie(Response(status=HTTPStatus.NO_CONTENT))

    @api.get("/hand")
    def hand() -> Response:
        """The cards of the visitor's seat, as far as they were entered."""
        table, deal, seat = own_deal(host.snapshot.history, owners)
        return private(
            hand_json(table, deal, seat) | turn_json(table, deal, seat) | {"has_advice": gives_advice(table)}
        )

    @api.get("/hand/<seat>")
    def shown_hand(seat: str) -> Response:
        """The dealt cards of a seat that this phone shows, because nobody else holds it."""
        table = host.snapshot.table
        shown = [own for own in (hands_shown(table) if table else ()) if str(own) == seat]
        if not shown:
            raise NoSeat("a seat whose hand this phone shows", ascii(seat), fix="deal with this phone")
        table, deal, own = own_deal(host.snapshot.history, owners, shown[0])
        return private(
            hand_json(table, deal, own) | turn_json(table, deal, own) | {"has_advice": own == current_visitor().seat}
        )

    @api.get("/advice")
    def advice() -> Response:
        """The best discards, or in the play the cards that may be played, best first."""
        table, deal, seat = own_deal(host.snapshot.history, owners)
        if not gives_advice(table):
            raise Problem(HTTPStatus.FORBIDDEN, "expected a game with advice, got one without")
        if table.to_play == seat and deal.in_hand(seat):
            return private({"discards": [], "cards": best_cards(table, seat)})
        discards = discards_json(best_discards(table, deal, seat), deal.dealt[seat])
        return private({"discards": discards, "cards": []})

    return api


def private(body: Json) -> Response:
    """A JSON response that no cache keeps."""
    response = jsonify(body)
    response.headers["Cache-Control"] = "no-store"
    return response


def visitor_json(table: Table | None, registry: PhoneRegistry) -> Json:
    """The current visitor as JSON: `role`, `is_local`, `phone`, `seat`, `lost_seat`, `seats`, `hands`,
    `allowed_commands`.

    `hands`: the seats whose dealt cards this visitor shows. `lost_seat` is the player whose seat the phone had until a
    new game left that player out; null otherwise.
    """
    visitor = current_visitor()
    phone = visitor.phone and registry.find(visitor.phone.id)
    holders = {other.seat: other.name for other in registry.phones}
    seats = [
        {"name": name, "held_by": holders.get(Seat(seat))} for seat, name in enumerate(table.names if table else ())
    ]
    return {
        "role": visitor.role.name.lower(),
        "is_local": visitor.is_local,
        "phone": phone_json(phone) if phone else None,
        "seat": phone.seat if phone else None,
        "lost_seat": registry.lost_seats.get(phone.id) if phone else None,
        "seats": seats,
        "hands": [] if table is None else list(hands_shown(table)),
        "allowed_commands": commands_of(visitor.role),
    }


def hands_shown(table: Table) -> tuple[Seat, ...]:
    """The seats whose hand, dealt by the program, the visitor shows."""
    visitor = current_visitor()
    if table.deal is None or not visitor.is_known:
        return ()
    own = phone_id(visitor.phone)
    return tuple(Seat(seat) for seat, to in enumerate(table.deal.shown_to) if to == own)


def own_phone() -> Phone:
    """The visitor's phone. Raises NoPhone."""
    if phone := current_visitor().phone:
        return phone
    raise NoPhone("a paired phone", "a visitor without one", fix="pair this phone first")


def check_free(table: Table | None, seat: Seat, phone: Phone) -> None:
    """Raises NoGame or NotASeat if no game has the seat, SeatInPlay if somebody else entered its cards."""
    if table is None:
        raise NoGame("a game under way", "none", fix="start one first")
    check_seat(seat, len(table.names))
    if seat in table.opponents:
        name = table.names[seat]
        raise SeatTaken("a seat of a person", f"the seat of {name}", name=name)
    if seat != phone.seat and has_private_cards(table, seat):
        name = table.names[seat]
        raise SeatInPlay("a seat whose cards were not entered yet", name, fix="wait for the next deal", name=name)


def own_deal(history: History, owners: HandOwners, shown: Seat | None = None) -> tuple[Table, Deal, Seat]:
    """The game, its deal and the visitor's seat, or the one `shown`; without the cards that somebody else entered for
    the seat. Raises NoSeat, NoGame or NotASeat."""
    table = history.table
    seat = current_visitor().seat if shown is None else shown
    if seat is None:
        raise NoSeat("a seat that the phone holds", "none", fix="take a seat first")
    if table is None or table.deal is None:
        raise NoGame("a deal under way", "none", fix="start a game first")
    check_seat(seat, len(table.names))
    deal = table.deal
    if not owners.owns(history, seat, current_visitor().phone):
        none: tuple[tuple[Card, ...], ...] = ((),) * len(table.names)
        deal = replace(deal, dealt=none, discarded=none, kept=none, stock=())
    return replace(table, deal=deal), deal, seat


def hand_json(table: Table, deal: Deal, seat: Seat) -> Json:
    """The seat's cards as JSON: `5H`, or `5` if the suit was not entered. The `to_...` fields count cards."""
    return {
        "deal": deal.number,
        "seat": seat,
        "name": table.names[seat],
        "phase": table.phase.value,
        "dealt": cards_json(deal.dealt[seat]),
        "discarded": cards_json(deal.discarded[seat]),
        "kept": cards_json(deal.kept[seat]),
        "in_hand": cards_json(deal.in_hand(seat)),
        "to_deal": table.rules.cards_dealt(seat, deal.dealer),
        "to_discard": table.rules.cards_discarded(seat, deal.dealer),
        "to_keep": table.rules.hand_size,
        "needs_suits": table.rules.play_flush is not PlayFlush.OFF,
    }


def turn_json(table: Table, deal: Deal, seat: Seat) -> Json:
    """What the seat can do now: the cards it may play, and the hand or crib it must show, if its cards are known."""
    is_to_play = table.to_play == seat and deal.play is not None
    shows = table.to_count if table.to_count and table.to_count.seat == seat else None
    return {
        "is_to_play": is_to_play,
        "playable": cards_json(playable_cards(deal.in_hand(seat), deal.play.count)) if is_to_play and deal.play else [],
        "to_show": shows and {"is_crib": shows.is_crib, "cards": cards_json(known_cards(table, seat, shows.is_crib))},
    }


def cards_json(cards: tuple[Card, ...]) -> list[str]:
    """Cards as JSON: `5H`, or `5` if the suit was not entered."""
    return [str(card) for card in cards]
