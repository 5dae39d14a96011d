"""The commands of the organiser and of scorekeepers: name -> what reads its JSON body and makes a change of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import date

from firmware_host.club import decide as d
from firmware_host.club.bracket import BEST_OF
from firmware_host.club.events import BracketKind, Event
from firmware_host.club.members import GAMES_A_NIGHT, MemberId, NightSettings
from firmware_host.club.rule_errors import NightExists, RoundExists
from firmware_host.club.seating import CODE_DIGITS, release_board, set_join_code
from firmware_host.club.state import Club, Night
from firmware_host.cribbage.variants import PRESETS
from firmware_host.validation.fields import Choice, Invalid, Text
from web_panel.api.json_body import JsonBody
from web_panel.club.shared_club import SharedClub

Change = Callable[[SharedClub], None]
"""Changes the club, or raises a Refusal."""

LONGEST_REASON = 200
REASON = Text(1, LONGEST_REASON)
USUAL = "family"
"""The preset of a night where none is chosen: the usual rules of six cards."""
PRESET = Choice(tuple(PRESETS))


def night_of(club: Club) -> Night:
    """The latest night. Raises NoNight."""
    return d.night_of(club, None)


def _one(decide: Callable[[Club], Event]) -> Change:
    """A change of one event."""

    def change(shared: SharedClub) -> None:
        shared.change(decide)

    return change


def _member(body: JsonBody) -> MemberId:
    return MemberId(body.integer("member"))


def _scores(body: JsonBody) -> tuple[int, int]:
    return body.integer("first"), body.integer("second")


def read_report(body: JsonBody) -> Change:
    """The scores of a table, for the players to confirm."""
    number = body.integer("round")
    table = body.integer("table")
    scores = _scores(body)
    return _one(lambda club: d.report_result(club, night_of(club), number, table, scores))


def read_confirm(body: JsonBody) -> Change:
    """One player of a table agrees."""
    number = body.integer("round")
    table = body.integer("table")
    member = _member(body)
    return _one(lambda club: d.confirm_result(club, night_of(club), number, table, member))


def read_match(body: JsonBody) -> Change:
    """The games won in a match of the play-offs."""
    kind = body.enum("bracket", BracketKind)
    number = body.integer("round")
    match = body.integer("match")
    wins = _scores(body)
    return _one(lambda club: d.report_match(night_of(club), kind, number, match, wins))


def read_correct_match(body: JsonBody) -> Change:
    """The same once more, with a reason."""
    kind = body.enum("bracket", BracketKind)
    number = body.integer("round")
    match = body.integer("match")
    wins = _scores(body)
    reason = body.read("reason", REASON)
    return _one(lambda club: d.report_match(night_of(club), kind, number, match, wins, reason))


def iso_date(value: object) -> str:
    """Accepts a date such as 2026-03-14."""
    try:
        return date.fromisoformat(value if isinstance(value, str) else "").isoformat()
    except ValueError as fault:
        raise Invalid("a date such as 2026-03-14") from fault


def read_create(body: JsonBody) -> Change:
    """A new night. `night` is its number, so that a second press does not begin another one."""
    day = body.read("date", iso_date, date.today().isoformat())
    number = body.integer("night")
    games = body.optional_integer("games")
    head_start = body.flag("head_start", False)
    rules = PRESETS[body.read("preset", PRESET, USUAL)].rules()
    settings = NightSettings(games=games or GAMES_A_NIGHT, head_start=head_start, rules=rules)

    def decide(club: Club) -> Event:
        if len(club.nights) != number - 1:
            raise NightExists(f"night {len(club.nights) + 1}", str(number), number=number)
        return d.create_night(club, day, settings)

    def change(shared: SharedClub) -> None:
        shared.change(decide)
        shared.change(lambda club: set_join_code(night_of(club), new_code()))

    return change


def new_code() -> str:
    """A code for the screen of the room."""
    return "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))


def read_new_code(body: JsonBody) -> Change:
    """Another code for the room, for example when the old one has become known. Boards that have joined stay."""
    return _one(lambda club: set_join_code(night_of(club), new_code()))


def read_release(body: JsonBody) -> Change:
    """Take a board from its table."""
    board = body.text("board")
    return _one(lambda club: release_board(night_of(club), board))


def read_add(body: JsonBody) -> Change:
    """A new member or guest."""
    name = body.text("name")
    guest = body.flag("guest", False)
    handicap = body.optional_integer("handicap") or 0
    return _one(lambda club: d.add_member(club, name, guest, handicap))


def read_change(body: JsonBody) -> Change:
    """Another name, guest or handicap."""
    member = _member(body)
    name = body.text("name")
    guest = body.flag("guest", False)
    handicap = body.optional_integer("handicap") or 0
    return _one(lambda club: d.change_member(club, member, name, guest, handicap))


def read_remove(body: JsonBody) -> Change:
    """A member leaves the club."""
    member = _member(body)
    return _one(lambda club: d.remove_member(club, member))


def read_enter(body: JsonBody) -> Change:
    """A member plays from the next round on."""
    member = _member(body)
    return _one(lambda club: d.enter_player(club, night_of(club), member))


def read_enter_all(body: JsonBody) -> Change:
    """All members and guests who do not play yet."""

    def change(shared: SharedClub) -> None:
        club = shared.club
        present = night_of(club).present
        for each in club.current_members:
            if each.id not in present:
                shared.change(lambda now, member=each.id: d.enter_player(now, night_of(now), member))  # type: ignore[misc]

    return change


def read_leave(body: JsonBody) -> Change:
    """A player goes home."""
    member = _member(body)
    return _one(lambda club: d.leave(club, night_of(club), member))


def read_pair(body: JsonBody) -> Change:
    """Draw a round. `round` is its number, so that a second press does not draw another one."""
    number = body.integer("round")

    def decide(club: Club) -> Event:
        night = night_of(club)
        if number != len(night.rounds) + 1:
            raise RoundExists(f"round {len(night.rounds) + 1}", str(number), number=number)
        return d.pair_round(club, night)

    return _one(decide)


def read_unpair(body: JsonBody) -> Change:
    """Withdraw the last round."""
    reason = body.read("reason", REASON)
    return _one(lambda club: d.unpair_round(night_of(club), reason))


def read_correct(body: JsonBody) -> Change:
    """The organiser sets the scores of a table."""
    number = body.integer("round")
    table = body.integer("table")
    scores = _scores(body)
    reason = body.read("reason", REASON)
    return _one(lambda club: d.correct_result(night_of(club), number, table, scores, reason))


def read_bracket(body: JsonBody) -> Change:
    """Draw the play-offs or the consolation."""
    kind = body.enum("bracket", BracketKind)
    best_of = body.optional_integer("best_of") or BEST_OF[0]
    return _one(lambda club: d.draw_bracket(club, night_of(club), kind, best_of))


RESULTS: Mapping[str, Callable[[JsonBody], Change]] = {
    "report": read_report,
    "confirm": read_confirm,
    "match": read_match,
}
"""What scorekeepers may do."""

NIGHT: Mapping[str, Callable[[JsonBody], Change]] = {
    "create": read_create,
    "new-code": read_new_code,
    "release": read_release,
    "add": read_add,
    "change": read_change,
    "remove": read_remove,
    "enter": read_enter,
    "enter-all": read_enter_all,
    "leave": read_leave,
    "pair": read_pair,
    "unpair": read_unpair,
    "correct": read_correct,
    "correct-match": read_correct_match,
    "bracket": read_bracket,
}
"""What only the organiser may do."""
