"""The API, version 1: read the state, give orders, and at a simulated board move pegs and keys.

Every route is parse, submit, answer. A refusal is 409 with the rule's own sentence; it is no fault, and is not logged.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

from flask import Blueprint, Response, jsonify, request

from firmware_host.cribbage.cards import Suit, parse_cards
from firmware_host.cribbage.refusals import Refusal
from firmware_host.faults import HostFault
from firmware_host.host import Host
from firmware_host.languages import words
from firmware_host.table.entries import Asking, TypingHand
from firmware_host.table.refusals import NoGame
from firmware_host.table.state import Table
from web_panel.asks import question, told_more
from web_panel.body import Body
from web_panel.hands import Demo, Hands
from web_panel.language import language_now
from web_panel.news import News
from web_panel.problems import Problem, details
from web_panel.stream import Streams
from web_panel.wishes import WISHES

Thing = TypeVar("Thing")


class OutOfReach(Refusal):
    """A simulated hand reached for a peg, a hole or a key that is not there to be moved."""

    kind = "out_of_reach"


def make_api(host: Host, news: News, streams: Streams, hands: Hands | None, demo: Demo | None) -> Blueprint:
    """The routes for everybody, and those that only a simulated board and a demo have."""
    api = Blueprint("api", __name__, url_prefix="/api/v1")

    @api.get("/state")
    def state() -> Response:
        return told(news)

    @api.get("/stream")
    def stream() -> Response:
        return streams.open(language_now())

    @api.post("/orders/<order>")
    def give(order: str) -> Response:
        if order not in WISHES:
            raise Problem(HTTPStatus.NOT_FOUND, f"expected one of {', '.join(WISHES)}, got {order}")
        body = Body.of_text(request.get_data())
        wish = WISHES[order](body)
        body.finish()
        host.submit(wish)
        return told(news)

    @api.post("/hand")
    def ask_about_hand() -> Response:
        body = Body.of_text(request.get_data())
        cards = parse_cards(body.texts("cards"), rank_only=True)
        hand, suit = TypingHand(cards, body.one_of("asking", Asking)), body.one_of_if_told("suit", Suit)
        body.finish()
        return jsonify(next_about(hand, suit, host.snapshot.table))

    tell_refusals(api)
    if hands:
        add_hands(api, hands)
    if demo:
        add_demo(api, demo, news)
    return api


def next_about(hand: TypingHand, suit: Suit | None, table: Table | None) -> dict[str, object]:
    """The hand with one answer more, and what is still `asking`; nothing is kept, nobody else is told."""
    if table is None:
        raise NoGame("a game", "none")
    more = told_more(hand, suit, table)
    asked = question(more.asking, table, words(language_now()))
    return {"cards": list(map(str, more.cards)), "asking": more.asking.value, "question": asked}


def add_hands(api: Blueprint, hands: Hands) -> None:
    """Fingers for pegs and keys. What comes of it is told by the state, as on a real board."""

    @api.post("/hands/<movement>")
    def move_peg(movement: str) -> Response:
        movements = {"lift": hands.lift_peg, "place": hands.place_peg}
        if movement not in movements:
            raise Problem(HTTPStatus.NOT_FOUND, f"expected lift or place, got {movement}")
        body = Body.of_text(request.get_data())
        sensor = body.whole("sensor")
        body.finish()
        with_care(movements[movement], sensor)
        return done()

    @api.post("/keys")
    def move_key() -> Response:
        body = Body.of_text(request.get_data())
        legend, is_down = body.text("legend"), body.flag("down")
        body.finish()
        with_care(hands.press if is_down else hands.release, legend)
        return done()


def add_demo(api: Blueprint, demo: Demo, news: News) -> None:
    @api.post("/demo")
    def show_demo() -> Response:
        body = Body.of_text(request.get_data())
        run = body.flag("run")
        body.finish()
        demo.start() if run else demo.stop()
        return told(news)


def tell_refusals(api: Blueprint) -> None:
    @api.errorhandler(Refusal)
    def refused(refusal: Refusal) -> tuple[Response, int]:
        sentence = {"kind": refusal.kind, "message": str(refusal), "expected": refusal.expected, "got": refusal.got}
        return jsonify(sentence), HTTPStatus.CONFLICT

    @api.errorhandler(HostFault)
    @api.errorhandler(TimeoutError)
    def unable(fault: HostFault | TimeoutError) -> Response:
        """The order may be right, but cannot be kept now: the disk is full, or the host is busy."""
        return details(HTTPStatus.SERVICE_UNAVAILABLE, str(fault) or "the host is busy; look, then ask again")


def with_care(move: Callable[[Thing], None], thing: Thing) -> None:
    """A hand that misses is told so, as a refusal."""
    try:
        move(thing)
    except LookupError as missed:
        raise OutOfReach("a move that the board allows", str(missed.args[0])) from missed


def told(news: News) -> Response:
    return Response(news.now(language_now()).text, mimetype="application/json", headers={"Cache-Control": "no-store"})


def done() -> Response:
    return Response(status=HTTPStatus.NO_CONTENT)
