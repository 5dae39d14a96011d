"""The API of a club night: log-in, and the commands of the organiser and of scorekeepers."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from flask import Blueprint, Response, request

from web_panel.api.json_body import Body, Text, read_body, reads_json
from web_panel.club.access import COOKIE, Sessions, set_session_cookie
from web_panel.club.change_body import ChangeBody
from web_panel.club.night_commands import NIGHT_COMMANDS
from web_panel.club.result_commands import RESULT_COMMANDS
from web_panel.club.shared_club import SharedClub
from web_panel.errors import Problem


class Credentials(Body, frozen=True):
    """Who logs in."""

    name: Text
    password: str

    def __post_init__(self) -> None:
        """A password may have any characters."""


def make_club_api(shared: SharedClub, sessions: Sessions) -> Blueprint:
    """Log-in and commands. Each answers 204, or with a sentence that says why not."""
    views = Blueprint("club_api", __name__, url_prefix="/api/v1")

    @views.post("/login", endpoint="login")
    @reads_json(Credentials)
    def login(body: Credentials) -> Response:
        token = sessions.log_in(body.name, body.password, request.remote_addr or "")
        return set_session_cookie(Response(status=204), token)

    @views.post("/logout")
    def logout() -> Response:
        sessions.log_out(request.cookies.get(COOKIE, ""))
        return set_session_cookie(Response(status=204), "")

    def run(commands: Mapping[str, type[ChangeBody]], name: str) -> Response:
        if name not in commands:
            raise Problem(HTTPStatus.NOT_FOUND, "no such command")
        read_body(request.get_data(), commands[name]).change(shared)
        return Response(status=204)

    views.post("/results/<name>", endpoint="results")(lambda name: run(RESULT_COMMANDS, name))
    views.post("/night/<name>", endpoint="night")(lambda name: run(NIGHT_COMMANDS, name))
    return views
