"""The page of a player: joins a phone to a player by the code of the night, and takes the results of the own games.

The phone keeps a random token in a cookie; `firmware_host.club.phones` says whose it is. The result is sent by each
player: the second one who sends the same has confirmed it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

from flask import Blueprint, Response, request
from msgspec import Struct

from firmware_host.club.bracket import Match
from firmware_host.club.game import Game
from firmware_host.club.members import MemberId
from firmware_host.club.phones import Owner, check_code, join_phone, next_game, owner_of, release_phone, report_on_phone
from firmware_host.club.rule_errors import UnknownPhone
from firmware_host.club.seating import round_on_screen
from firmware_host.club.standings import Line, lines_of
from firmware_host.club.state import Club, Night
from firmware_host.cribbage.names import name_key
from web_panel.api.json_body import Body, Text, Whole, read_body, text_of
from web_panel.club.access import hash_of
from web_panel.club.attempts import Attempts
from web_panel.club.shared_club import SharedClub
from web_panel.errors import Problem

PHONE_COOKIE = "cribboard-player"
COOKIE_S = 16 * 3600
"""How long a phone keeps its token: a long evening. It is of no use after the night."""

Code = Annotated[str, text_of(12)]


class Player(Struct, frozen=True):
    """What the page of a player shows. `game` is the next one; None: the player waits."""

    phone: int
    member: MemberId
    game: Game | None
    has_bye: bool
    """Whether the player waits because of a bye in the round on the screen."""
    match: Match | None
    """Of the play-offs, to which the game belongs; None: the game belongs to a round."""
    lines: tuple[Line, ...]
    """The results so far that count."""

    @property
    def opponent(self) -> MemberId:
        """Of the game. Raises AssertionError without one."""
        assert self.game
        return self.game.players.opponent_of(self.member)


def player_of(club: Club, key: str) -> Player | None:
    """The player whose phone has a token with this hash, in the latest night; None: nobody."""
    owner = _owner(club, key)
    if owner is None:
        return None
    night = club.nights[-1]
    round = round_on_screen(night)
    lines = tuple(line for line in lines_of(night, owner.member) if not line.is_open)
    has_bye = round is not None and owner.member in round.byes
    game = next_game(night, owner.member)
    match = match_of(night, game) if game else None
    return Player(owner.phone, owner.member, game, has_bye, match, lines)


def match_of(night: Night, game: Game) -> Match | None:
    """The match of the play-offs to which a game belongs; None for a game of a round."""
    return night.brackets[game.match.kind].match(game.match.round, game.match.number) if game.match else None


def phones_in_use(night: Night) -> Mapping[int, MemberId]:
    """Number of each phone that was not released -> its player."""
    return {number: phone.member for number, phone in night.phones.items() if phone.key}


def _owner(club: Club, key: str) -> Owner | None:
    return owner_of(club.nights[-1], key) if club.nights else None


def key_now() -> str:
    """The hash of the token that came with the current request; empty for none."""
    token = request.cookies.get(PHONE_COOKIE, "")
    return hash_of(token) if token else ""


class Join(Body, frozen=True):
    """The name of a player, and the code of the night."""

    name: Text
    code: Code


class OwnResult(Body, frozen=True):
    """The scores of the own game, in the order of its players."""

    round: Whole
    table: Whole
    first: Whole
    second: Whole


def make_player_api(shared: SharedClub) -> Blueprint:
    """What a phone may do. Each command answers 204, or with a sentence that says why not."""
    views = Blueprint("player_api", __name__, url_prefix="/api/v1/player")
    attempts = Attempts()

    @views.post("/<name>")
    def command(name: str) -> Response:
        data = request.get_data()
        match name:
            case "join":
                return join(read_body(data, Join))
            case "report":
                body = read_body(data, OwnResult)
                scores = (body.first, body.second)
                shared.change(lambda club: report_on_phone(club, key_now(), body.round, body.table, scores))
                return Response(status=204)
            case "leave":
                return leave(read_body(data, Body))
        raise Problem(HTTPStatus.NOT_FOUND, "no such command")

    def join(body: Join) -> Response:
        token = secrets.token_urlsafe(32)
        with attempts.guess(name_key(body.name), request.remote_addr or ""):
            check_code(shared.club, body.code.strip())  # a name that is mistyped is no wrong code
        shared.change(lambda club: join_phone(club, body.name, body.code.strip(), hash_of(token)))
        return _set_cookie(Response(status=204), token)

    def leave(_: Body) -> Response:
        owner = _owner(shared.club, key_now())
        if owner is None:
            raise UnknownPhone("a phone that has joined", "another one")
        shared.change(lambda club: release_phone(club.nights[-1], owner.phone))
        return _set_cookie(Response(status=204), "")

    return views


def _set_cookie(response: Response, token: str) -> Response:
    age_s = COOKIE_S if token else 0
    response.set_cookie(
        PHONE_COOKIE, token, age_s, path="/", httponly=True, samesite="Strict", secure=request.is_secure
    )
    return response
