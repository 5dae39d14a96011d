"""The API, version 1: read the state, send commands, and move the pegs and keys of a simulated board.

Every route parses, submits and answers. A refusal by the rules is 409; it is not an error, and is not logged.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial
from http import HTTPStatus
from typing import TypeVar

from flask import Blueprint, Flask, Response, jsonify

from firmware_host.config.languages import translator
from firmware_host.config.settings_errors import SettingsError
from firmware_host.cribbage.cards import Suit, parse_cards
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.errors import HostError
from firmware_host.game.acting_seats import seats_of
from firmware_host.game.commands import DealHand, DealPack, StartGame
from firmware_host.game.rule_errors import NoGame
from firmware_host.game.state import Table
from firmware_host.host.loop import Host
from firmware_host.pairing.pairing import PairingLocked
from firmware_host.ui.keys.input_state import HandQuestion, TypingHand
from firmware_host.ui.texts.error_messages import error_message
from firmware_host.ui.texts.fault_messages import cannot_save
from web_panel.api.commands import COMMANDS, CommandBody
from web_panel.api.json_body import Body, Text, Texts, Whole, reads_json
from web_panel.api.repeated_requests import RepeatedRequests
from web_panel.api.stream import Streams, Watcher
from web_panel.board_input import BoardInput, Demo
from web_panel.errors import Problem, problem_response
from web_panel.language import language_now
from web_panel.security.hand_owners import HandOwners
from web_panel.security.identity import Visitor, phone_id
from web_panel.security.permissions import current_visitor
from web_panel.security.seat_access import ProbeLimit, asked_first, check_may_play, check_seat, others_hold_seats
from web_panel.views.cache import StateCache
from web_panel.views.hand_question import question_label, with_answer

Moved = TypeVar("Moved")


class OutOfReach(Refusal):
    """The simulated board has no such peg, hole or key to move now."""

    kind = "out_of_reach"
    sentence = "There is nothing to move there."


def make_api(
    host: Host,
    cache: StateCache,
    streams: Streams,
    board_input: BoardInput | None,
    demo: Demo | None,
    owners: HandOwners,
    is_seatless_play_open: Callable[[], bool],
) -> Blueprint:
    """State, stream and commands; keys and pegs where there is a `board_input`; the demo where there is one."""
    api = Blueprint("api", __name__, url_prefix="/api/v1")

    @api.get("/state")
    def state() -> Response:
        """The whole public state."""
        return state_response(cache)

    @api.get("/stream")
    def stream() -> Response:
        """The public state as server-sent events: at once, and at each change."""
        visitor = current_visitor()
        return streams.open(Watcher(language_now(), visitor.is_known, visitor.is_current))

    add_commands(api, host, cache, owners, is_seatless_play_open)

    @api.post("/hand")
    @reads_json(TypedHand)
    def hand(body: TypedHand) -> Response:
        """The next question about the suits of a hand that is being typed. Nothing is stored or sent to others."""
        return jsonify(next_question(body, host.snapshot.table))

    if board_input:
        add_keys(api, board_input)
        if board_input.moves_pegs:
            add_pegs(api, board_input)
    if demo:
        add_demo(api, demo, cache)
    return api


def add_commands(
    api: Blueprint, host: Host, cache: StateCache, owners: HandOwners, is_seatless_play_open: Callable[[], bool]
) -> None:
    """One route for each command. It answers with the state that follows."""
    probe_limit = ProbeLimit()
    repeated = RepeatedRequests()

    def carry_out(body: CommandBody, visitor: Visitor) -> None:
        command = body.command(visitor.seat)
        table = host.snapshot.table
        history = host.snapshot.history
        if isinstance(command, DealPack) and table is not None:
            registry = host.pairing.registry
            command = DealPack(registry.shows_hands(len(table.names), phone_id(visitor.phone)))
        if isinstance(command, StartGame):
            command = asked_first(command, history, visitor, host.pairing.registry)
        check_seat(command, table, visitor, host.pairing.registry)
        if not is_seatless_play_open():
            check_may_play(command, table, visitor, host.pairing.registry)
        if table is not None and not isinstance(command, DealHand):
            owners.check(seats_of(command, table), history, visitor)
        owners.check_undo(command, history, visitor)
        may_learn = others_hold_seats(visitor, host.pairing.registry) or not owners.entered_all(history, visitor)
        with probe_limit.trial(command, visitor) if may_learn else nullcontext():
            snapshot = host.submit(command, body.moment)
        if isinstance(command, StartGame):
            sit_alone(command, visitor, host)
        owners.note(command, snapshot.history, visitor)

    def add(name: str, kind: type[CommandBody]) -> None:
        @reads_json(kind)
        def submit(body: CommandBody) -> Response:
            visitor = current_visitor()
            repeated.once(phone_id(visitor.phone), body.idempotency_key, partial(carry_out, body, visitor))
            return state_response(cache)

        submit.__doc__ = kind.__doc__
        api.add_url_rule(f"/commands/{name}", f"command-{name}", submit, methods=["POST"])

    for name, kind in COMMANDS.items():
        add(name, kind)


def sit_alone(command: StartGame, visitor: Visitor, host: Host) -> None:
    """The phone that begins a game of one person against the program holds that person's seat."""
    people = [Seat(seat) for seat, level in enumerate(command.levels) if level is None]
    if visitor.phone is not None and len(people) == 1:
        with suppress(Refusal):  # another phone holds it already
            host.pairing.registry.set_seat(visitor.phone.id, people[0], host.turn_count)


class TypedHand(Body, frozen=True):
    """`cards` typed so far by rank, the `question` that was shown, and the `suit` that answers it."""

    cards: Texts
    question: HandQuestion
    suit: Suit | None = None


def next_question(typed: TypedHand, table: Table | None) -> dict[str, object]:
    """The hand with the answer, and the next `question` with its `label`. Raises NoGame or WrongPhase."""
    hand = TypingHand(parse_cards(typed.cards, rank_only=True), typed.question)
    if table is None:
        raise NoGame("a game", "none")
    answered = with_answer(hand, typed.suit, table)
    label = question_label(answered.question, table, translator(language_now()))
    return {"cards": list(map(str, answered.cards)), "question": answered.question.value, "label": label}


class KeyMove(Body, frozen=True):
    """The key with this legend goes down, or up."""

    legend: Text
    down: bool


class PegMove(Body, frozen=True):
    """The number of a sensor."""

    sensor: Whole


class DemoSwitch(Body, frozen=True):
    """Whether the demo is to run."""

    run: bool


def add_keys(api: Blueprint, board_input: BoardInput) -> None:
    """The route that presses and releases the keys of a board on the page."""

    @api.post("/keys")
    @reads_json(KeyMove)
    def move_key(body: KeyMove) -> Response:
        """Press or release a key of the board. The effect follows in the state."""
        move(board_input.press if body.down else board_input.release, body.legend)
        return no_content()


def add_pegs(api: Blueprint, board_input: BoardInput) -> None:
    """The route that lifts and places the pegs of a board on the page."""

    @api.post("/pegs/<movement>")
    @reads_json(PegMove)
    def move_peg(body: PegMove, movement: str) -> Response:
        """`lift` or `place` a peg at a sensor of the simulated board. The effect follows in the state."""
        movements = {"lift": board_input.lift_peg, "place": board_input.place_peg}
        if movement not in movements:
            raise Problem(HTTPStatus.NOT_FOUND, f"expected lift or place, got {ascii(movement)}")
        move(movements[movement], body.sensor)
        return no_content()


def add_demo(api: Blueprint, demo: Demo, cache: StateCache) -> None:
    """The route that starts and stops the demonstration."""

    @api.post("/demo")
    @reads_json(DemoSwitch)
    def run_demo(body: DemoSwitch) -> Response:
        """Start or stop the demo, a game that plays itself."""
        demo.start() if body.run else demo.stop()
        return state_response(cache)


def install_refusal_handler(app: Flask) -> None:
    """Answer refusals with 409 and failures of the host with 503, under every route of `app`.

    `message` (409) and `detail` (429, 503) are English; `localized` is in the visitor's language.
    """

    @app.errorhandler(Refusal)
    def refused(refusal: Refusal) -> tuple[Response, int]:
        body = {"kind": refusal.kind, "message": str(refusal), "expected": refusal.expected, "got": refusal.got}
        return jsonify(body | {"localized": sentence_of(refusal)}), HTTPStatus.CONFLICT

    @app.errorhandler(SettingsError)
    def invalid_setting(error: SettingsError) -> tuple[Response, int]:
        """With the same message that a start prints for that line of the file."""
        body = {"kind": "invalid_setting", "message": str(error), "expected": error.expected, "got": error.got}
        return jsonify(body), HTTPStatus.CONFLICT

    @app.errorhandler(PairingLocked)
    def locked(refusal: PairingLocked) -> Response:
        response = problem_response(HTTPStatus.TOO_MANY_REQUESTS, str(refusal), localized=sentence_of(refusal))
        response.headers["Retry-After"] = str(refusal.retry_s)
        return response

    @app.errorhandler(HostError)
    @app.errorhandler(TimeoutError)
    def unavailable(error: HostError | TimeoutError) -> Response:
        """The command may be right, but cannot be done now: the disk is full, or the host is busy."""
        detail = str(error) or "the host is busy; read the state, then try again"
        return problem_response(HTTPStatus.SERVICE_UNAVAILABLE, detail, localized=sentence_of(error))


def sentence_of(fault: Refusal | HostError | TimeoutError) -> str:
    """The refusal or the failure as a sentence in the language of the request."""
    tr = translator(language_now())
    if isinstance(fault, Refusal):
        return error_message(fault, tr)
    if isinstance(fault, TimeoutError):
        return tr("The board is busy. Check the game, then try again.")
    return cannot_save(tr)


def move(movement: Callable[[Moved], None], what: Moved) -> None:
    """Move a peg or a key. Raises OutOfReach if that is impossible."""
    try:
        movement(what)
    except LookupError as impossible:
        raise OutOfReach("a move that the board allows", str(impossible.args[0])) from impossible


def state_response(cache: StateCache) -> Response:
    """The state in the language of the request."""
    text = cache.now(language_now()).text
    return Response(text, mimetype="application/json", headers={"Cache-Control": "no-store"})


def no_content() -> Response:
    """The answer without a body (204)."""
    return Response(status=HTTPStatus.NO_CONTENT)
