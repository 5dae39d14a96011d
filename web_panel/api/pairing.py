"""The API of pairing: request it with the code on the display, fetch the token, and manage the paired phones."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from flask import Blueprint, Response, jsonify, redirect, request
from flask.typing import ResponseReturnValue

from firmware_host.host.loop import Host
from firmware_host.pairing.names import check_name
from firmware_host.pairing.pairing import CODE_LENGTH, CODE_LETTERS, NotPaired, Pairing
from firmware_host.pairing.qr_code import pairing_url
from firmware_host.pairing.registry import Phone, Role
from firmware_host.ui.pairing_prompt import AcceptPhone, OpenPairing, RejectPhone
from firmware_host.validation.typed import one_of
from web_panel.api.json_body import Body, Text, reads_json, shown
from web_panel.errors import Problem, malformed
from web_panel.qr_code import qr_code
from web_panel.security.identity import clear_token_cookie, set_token_cookie
from web_panel.security.permissions import current_visitor

MAX_NAME_LENGTH = 16
"""So that the display has room for the question with the name."""

RoleName = Annotated[str, one_of(role.name.lower() for role in Role if role is not Role.STRANGER)]
"""A role that a phone can have."""


class NameBody(Body, frozen=True):
    """The name of a phone."""

    name: Text


class PairingRequest(NameBody, frozen=True):
    """The name of a phone, and the code that the board shows."""

    code: Text


class SecretBody(Body, frozen=True):
    """The secret of a request for pairing."""

    secret: Text


class AnswerBody(Body, frozen=True):
    """The answer to the phone that asks: the number that it shows, and whether it may play."""

    number: Text
    accepted: bool


class RoleBody(Body, frozen=True):
    """The new role of a phone."""

    role: RoleName


def make_pairing(host: Host) -> Blueprint:
    """The address in the QR code, and the routes under /api/v1/pairing and /api/v1/phones."""
    routes = Blueprint("pairing-routes", __name__)

    @routes.get("/in/<code>")
    @routes.get("/IN/<code>")
    def scanned(code: str) -> ResponseReturnValue:
        """The address in the QR code. Redirects to the page with the code in the fragment, which is never logged."""
        if len(code) != CODE_LENGTH or not set(code.upper()) <= set(CODE_LETTERS):
            raise Problem(HTTPStatus.NOT_FOUND, "no such code; open pairing on the board again")
        return redirect(f"/#code={code.upper()}")

    routes.register_blueprint(pairing_routes(host), url_prefix="/api/v1/pairing")
    routes.register_blueprint(phone_routes(host.pairing), url_prefix="/api/v1/phones")
    return routes


def pairing_routes(host: Host) -> Blueprint:
    """The routes of a phone that asks to be added, and of the people who answer it."""
    api = Blueprint("pairing", __name__)
    pairing = host.pairing

    @api.post("/open")
    @reads_json(Body)
    def open_pairing(body: Body) -> Response:
        """Open pairing, as the menu of the board does. The code, and its address as a QR code in SVG."""
        code = host.submit(OpenPairing()).pairing_state.code
        response = jsonify(code=code, picture=qr_code(pairing_url(host.setup.address, code)))
        response.headers["Cache-Control"] = "no-store"
        return response

    @api.post("/answer")
    @reads_json(AnswerBody)
    def answer(body: AnswerBody) -> Response:
        """Accept or refuse the phone that shows this number, as the keys of the board do."""
        if pairing.pairing_state().number != body.number:
            raise NotPaired("the number of the phone that asks now", shown(body.number), fix="read the page again")
        host.submit(AcceptPhone() if body.accepted else RejectPhone())
        return Response(status=HTTPStatus.NO_CONTENT)

    @api.post("/request")
    @reads_json(PairingRequest)
    def request_pairing(body: PairingRequest) -> ResponseReturnValue:
        """Ask to pair this phone. The answer's `secret` fetches the token; the board shows its `number` too."""
        secret = pairing.request_pairing(checked(body.name), body.code, sender=request.remote_addr or "")
        return jsonify(secret=secret, number=pairing.number_of(secret))

    @api.post("/token")
    @reads_json(SecretBody)
    def fetch_token(body: SecretBody) -> ResponseReturnValue:
        """202 until somebody at the board answers; then, once, the phone, with its token as a cookie."""
        admitted = pairing.collect_token(body.secret)
        if admitted is None:
            return jsonify(is_waiting=True), HTTPStatus.ACCEPTED
        return set_token_cookie(jsonify(phone=phone_json(admitted[0])), admitted[1])

    @api.post("/cancel")
    @reads_json(SecretBody)
    def cancel(body: SecretBody) -> ResponseReturnValue:
        """Withdraw the request: the board stops asking about this phone."""
        pairing.cancel(body.secret)
        return Response(status=HTTPStatus.NO_CONTENT)

    @api.post("/local")
    @reads_json(NameBody)
    def pair_locally(body: NameBody) -> ResponseReturnValue:
        """Pair a browser on the computer of a simulated board, without the keys of the board."""
        if not current_visitor().is_local:
            got = "a visitor from elsewhere; send a pairing request instead"
            raise Problem(HTTPStatus.FORBIDDEN, f"expected a browser on the computer of a simulated board, got {got}")
        name = checked(body.name)
        check_name(name, [phone.name for phone in pairing.registry.phones])
        phone, token = pairing.registry.add_phone(name)
        return set_token_cookie(jsonify(phone=phone_json(phone)), token)

    return api


def phone_routes(pairing: Pairing) -> Blueprint:
    """The routes of the paired phones: their list, roles and removal."""
    api = Blueprint("phones", __name__)

    @api.get("")
    def all_phones() -> Response:
        """The paired phones."""
        return jsonify(phones=[phone_json(phone) for phone in pairing.registry.phones])

    @api.post("/<phone>/role")
    @reads_json(RoleBody)
    def set_role(body: RoleBody, phone: str) -> Response:
        """Change the role of a phone."""
        return jsonify(phone=phone_json(pairing.registry.set_role(phone, Role[body.role.upper()])))

    @api.post("/<phone>/remove")
    @reads_json(Body)
    def remove(body: Body, phone: str) -> ResponseReturnValue:
        """Remove a phone: its token is invalid from now on."""
        pairing.registry.check_other_owner(pairing.registry.find(phone))
        pairing.registry.remove(phone)
        response = Response(status=HTTPStatus.NO_CONTENT)
        own = current_visitor().phone
        return clear_token_cookie(response) if own and own.id == phone else response

    return api


def checked(name: str) -> str:
    """The name of a phone, 1 to MAX_NAME_LENGTH characters. Raises Problem."""
    text = name.strip()
    if len(text) > MAX_NAME_LENGTH:
        raise malformed(f"1 to {MAX_NAME_LENGTH} letters", shown(text), "name")
    return text


def phone_json(phone: Phone) -> dict[str, object]:
    """What others may know of a phone. Its token hash is left out."""
    return {"id": phone.id, "name": phone.name, "role": phone.role.name.lower(), "seat": phone.seat}
