"""The API of pairing: knock with the code on the display, pick the token up, and see to the phones that were let in."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, jsonify, redirect
from flask.typing import ResponseReturnValue

from firmware_host.phones import Phone, Role
from firmware_host.porch import CODE_LENGTH, CODE_LETTERS, Porch
from web_panel.body import Body, nothing, shown, takes
from web_panel.problems import Problem, malformed
from web_panel.roles import asking
from web_panel.visitors import hand_over, take_away

LONGEST_NAME = 16
"""So that the question with the name fits the display."""


def make_entrance(porch: Porch) -> Blueprint:
    entrance = Blueprint("entrance", __name__)

    @entrance.get("/in/<code>")
    @entrance.get("/IN/<code>")
    def scanned(code: str) -> ResponseReturnValue:
        """Where the QR code leads: the panel, with the code where only its own page sees it."""
        if len(code) != CODE_LENGTH or not set(code.upper()) <= set(CODE_LETTERS):
            raise Problem(HTTPStatus.NOT_FOUND, "no such code; open the door again on the board")
        return redirect(f"/#in={code.upper()}")

    entrance.register_blueprint(pairing(porch), url_prefix="/api/v1/pairing")
    entrance.register_blueprint(phones(porch), url_prefix="/api/v1/phones")
    return entrance


def pairing(porch: Porch) -> Blueprint:
    api = Blueprint("pairing", __name__)

    @api.post("/knock")
    @takes(name_and_code)
    def knock(told: tuple[str, str]) -> ResponseReturnValue:
        """Ask to be let in. The answer's `knock` is for pick-up."""
        return jsonify(knock=porch.knock(*told))

    @api.post("/pick-up")
    @takes(lambda body: body.text("knock"))
    def pick_up(secret: str) -> ResponseReturnValue:
        """202 while nobody has answered; once let in, the phone, and its token as a cookie."""
        admitted = porch.pick_up(secret)
        if admitted is None:
            return jsonify(is_waiting=True), HTTPStatus.ACCEPTED
        return hand_over(jsonify(phone=told_of(admitted[0])), admitted[1])

    @api.post("/walk-away")
    @takes(lambda body: body.text("knock"))
    def walk_away(secret: str) -> ResponseReturnValue:
        """Wait no more; the board asks about this phone no longer."""
        porch.walk_away(secret)
        return Response(status=HTTPStatus.NO_CONTENT)

    @api.post("/walk-in")
    @takes(name)
    def walk_in(name: str) -> ResponseReturnValue:
        """For newcomers on the computer of a simulated board: a phone of one's own, without ceremony."""
        if not asking().is_newcomer:
            raise Problem(HTTPStatus.FORBIDDEN, "expected a newcomer at a simulated board, got a phone; knock instead")
        phone, token = porch.book.admit(name)
        return hand_over(jsonify(phone=told_of(phone)), token)

    return api


def phones(porch: Porch) -> Blueprint:
    api = Blueprint("phones", __name__)

    @api.get("")
    def every() -> Response:
        """The phones that were let in."""
        return jsonify(phones=[told_of(phone) for phone in porch.book.phones])

    @api.post("/<phone>/role")
    @takes(role)
    def entrust(role: Role, phone: str) -> Response:
        """Let a phone do more, or less."""
        return jsonify(phone=told_of(porch.book.entrust(phone, role)))

    @api.post("/<phone>/send-away")
    @takes(nothing)
    def send_away(told: None, phone: str) -> ResponseReturnValue:
        """Its token opens nothing from now on."""
        porch.book.remove(phone)
        answer = Response(status=HTTPStatus.NO_CONTENT)
        own = asking().phone
        return take_away(answer) if own and own.id == phone else answer

    return api


def name_and_code(body: Body) -> tuple[str, str]:
    return name(body), body.text("code")


def name(body: Body) -> str:
    told = body.text("name").strip()
    if len(told) > LONGEST_NAME:
        raise malformed(f"1 to {LONGEST_NAME} letters", shown(told), "name")
    return told


def role(body: Body) -> Role:
    told = body.text("role")
    given = {role.name.lower(): role for role in Role if role is not Role.STRANGER}
    if told not in given:
        raise malformed(f"one of {', '.join(given)}", shown(told), "role")
    return given[told]


def told_of(phone: Phone) -> dict[str, object]:
    """A phone as others may know it."""
    return {"id": phone.id, "name": phone.name, "role": phone.role.name.lower(), "seat": phone.seat}
