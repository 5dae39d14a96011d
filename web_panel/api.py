"""The API, version 1: read the state, give orders, and at a simulated board move pegs and keys.

Every route is parse, submit, answer. A refusal is 409 with the rule's own sentence; it is no fault, and is not logged.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

from flask import Blueprint, Flask, Response, jsonify

from firmware_host.cribbage.cards import Suit, parse_cards
from firmware_host.cribbage.refusals import Refusal
from firmware_host.faults import HostFault
from firmware_host.host import Host
from firmware_host.languages import words
from firmware_host.porch import DoorLocked
from firmware_host.settings import SettingsFault
from firmware_host.table.entries import Asking, TypingHand, Wish
from firmware_host.table.hindrances import cannot_save
from firmware_host.table.refusals import NoGame
from firmware_host.table.refusing import say_refused
from firmware_host.table.state import Table
from web_panel.asks import question, told_more
from web_panel.body import Body, takes
from web_panel.hands import Demo, Hands
from web_panel.language import language_now
from web_panel.news import News
from web_panel.problems import Problem, details
from web_panel.roles import asking
from web_panel.seats import Curiosity, check_seat
from web_panel.stream import Streams
from web_panel.wishes import WISHES, WishReader

Thing = TypeVar("Thing")


class OutOfReach(Refusal):
    """A simulated hand reached for a peg, a hole or a key that is not there to be moved."""

    kind = "out_of_reach"
    sentence = "Nothing can be moved there"


def make_api(host: Host, news: News, streams: Streams, hands: Hands | None, demo: Demo | None) -> Blueprint:
    """The routes for everybody, and those that only a simulated board and a demo have."""
    api = Blueprint("api", __name__, url_prefix="/api/v1")

    @api.get("/state")
    def state() -> Response:
        """The whole public state."""
        return told(news)

    @api.get("/stream")
    def stream() -> Response:
        """The public state as server-sent events: at once, and at each change."""
        return streams.open(language_now())

    add_orders(api, host, news)

    @api.post("/hand")
    @takes(hand_and_suit)
    def hand(told: tuple[TypingHand, Suit | None]) -> Response:
        """What is still to be told of a hand that is being typed; nothing is kept, nobody else is told."""
        return jsonify(next_about(*told, host.snapshot.table))

    if hands:
        add_hands(api, hands)
    if demo:
        add_demo(api, demo, news)
    return api


def add_orders(api: Blueprint, host: Host, news: News) -> None:
    curiosity = Curiosity()

    def give(name: str, read: WishReader) -> None:
        @takes(lambda body: read(body, asking().seat))
        def order(wish: Wish) -> Response:
            visitor = asking()
            check_seat(wish, host.snapshot.table, visitor, host.porch.book)
            curiosity.check(visitor)
            try:
                host.submit(wish)
            except Refusal as refusal:
                curiosity.note(refusal, visitor)
                raise
            return told(news)

        order.__doc__ = read.__doc__
        api.add_url_rule(f"/orders/{name}", f"order-{name}", order, methods=["POST"])

    for name, read in WISHES.items():
        give(name, read)


def hand_and_suit(body: Body) -> tuple[TypingHand, Suit | None]:
    """`cards` typed so far by rank, what was `asking`, and the `suit` that answers it."""
    cards = parse_cards(body.texts("cards"), rank_only=True)
    return TypingHand(cards, body.one_of("asking", Asking)), body.one_of_if_told("suit", Suit)


def next_about(hand: TypingHand, suit: Suit | None, table: Table | None) -> dict[str, object]:
    """The hand with one answer more, and what is still `asking`."""
    if table is None:
        raise NoGame("a game", "none")
    more = told_more(hand, suit, table)
    asked = question(more.asking, table, words(language_now()))
    return {"cards": list(map(str, more.cards)), "asking": more.asking.value, "question": asked}


def add_hands(api: Blueprint, hands: Hands) -> None:
    """Fingers for keys, and for pegs that are not real. What comes of it is told by the state, as on a real board."""

    @api.post("/keys")
    @takes(key_moved)
    def move_key(told: tuple[str, bool]) -> Response:
        """A key of the simulated board goes down, or comes up."""
        legend, is_down = told
        with_care(hands.press if is_down else hands.release, legend)
        return done()

    if hands.moves_pegs:
        add_pegs(api, hands)


def add_pegs(api: Blueprint, hands: Hands) -> None:
    @api.post("/hands/<movement>")
    @takes(lambda body: body.whole("sensor"))
    def move_peg(sensor: int, movement: str) -> Response:
        """`lift` or `place` a peg over a sensor of the simulated board."""
        movements = {"lift": hands.lift_peg, "place": hands.place_peg}
        if movement not in movements:
            raise Problem(HTTPStatus.NOT_FOUND, f"expected lift or place, got {ascii(movement)}")
        with_care(movements[movement], sensor)
        return done()


def key_moved(body: Body) -> tuple[str, bool]:
    return body.text("legend"), body.flag("down")


def add_demo(api: Blueprint, demo: Demo, news: News) -> None:
    @api.post("/demo")
    @takes(lambda body: body.flag("run"))
    def show_demo(run: bool) -> Response:
        """Let a game play itself, or stop it."""
        demo.start() if run else demo.stop()
        return told(news)


def tell_refusals(app: Flask) -> None:
    """Under every route, what the rules refuse, and what cannot be done now, is told in the same way."""

    @app.errorhandler(Refusal)
    def refused(refusal: Refusal) -> tuple[Response, int]:
        line = {"kind": refusal.kind, "message": str(refusal), "expected": refusal.expected, "got": refusal.got}
        return jsonify(line | {"says": said(refusal)}), HTTPStatus.CONFLICT

    @app.errorhandler(SettingsFault)
    def unfit(fault: SettingsFault) -> tuple[Response, int]:
        """In the very words in which a start refuses the same line of the file."""
        sentence = {"kind": "unfit_setting", "message": str(fault), "expected": fault.expected, "got": fault.got}
        return jsonify(sentence), HTTPStatus.CONFLICT

    @app.errorhandler(DoorLocked)
    def locked(refusal: DoorLocked) -> Response:
        answer = details(HTTPStatus.TOO_MANY_REQUESTS, str(refusal), says=said(refusal))
        answer.headers["Retry-After"] = str(refusal.retry_s)
        return answer

    @app.errorhandler(HostFault)
    @app.errorhandler(TimeoutError)
    def unable(fault: HostFault | TimeoutError) -> Response:
        """The order may be right, but cannot be kept now: the disk is full, or the host is busy."""
        _ = words(language_now())
        is_busy = isinstance(fault, TimeoutError)
        says = _("The board is busy: look, then ask again") if is_busy else cannot_save(_)
        sentence = str(fault) or "the host is busy; look, then ask again"
        return details(HTTPStatus.SERVICE_UNAVAILABLE, sentence, says=says)


def said(refusal: Refusal) -> str:
    """The people's sentence, in the language of whoever asks."""
    return say_refused(refusal, words(language_now()))


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
