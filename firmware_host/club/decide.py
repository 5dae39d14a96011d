"""Commands to a club: each returns the one event that follows, or raises a Refusal and changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import normalize

from firmware_host.club import events as e
from firmware_host.club import rule_errors as refused
from firmware_host.club.bracket import BEST_OF, Bracket
from firmware_host.club.game import Game, head_start
from firmware_host.club.members import (
    MAX_GAMES,
    MAX_HANDICAP,
    ORGANISER,
    Member,
    MemberId,
    NightSettings,
)
from firmware_host.club.pairing import next_round
from firmware_host.club.standings import qualifiers, standings
from firmware_host.club.state import Club, Night, Round
from firmware_host.cribbage.names import is_name, name_key, search_key, spelling_key, tidy_name
from firmware_host.cribbage.rule_errors import OptionsClash, UnknownChoice, quoted

LONGEST_NAME = 40


def add_member(club: Club, name: str, is_guest: bool = False, handicap: int = 0) -> e.MemberAdded:
    """A new member or guest, with the next number. Raises NotAName, MemberExists or UnknownChoice."""
    name = _checked_name(club, name, None)
    return e.MemberAdded(MemberId(max(club.members, default=0) + 1), name, is_guest, _checked_handicap(handicap))


def change_member(
    club: Club,
    member: MemberId,
    name: str | None = None,
    is_guest: bool | None = None,
    handicap: int | None = None,
) -> e.MemberChanged:
    """Change what is given; None leaves it. Raises UnknownMember, NotAName, MemberExists or UnknownChoice."""
    before = _member(club, member)
    return e.MemberChanged(
        member,
        before.name if name is None else _checked_name(club, name, member),
        before.is_guest if is_guest is None else is_guest,
        before.handicap if handicap is None else _checked_handicap(handicap),
    )


def remove_member(club: Club, member: MemberId) -> e.MemberRemoved:
    """Past nights keep the name. Raises UnknownMember, and StillPlaying for a player of a night that is not over."""
    name = _member(club, member).name
    if club.nights and member in club.nights[-1].present and not club.nights[-1].is_over:
        raise refused.StillPlaying("a member who has left the night", quoted(name), name=name)
    return e.MemberRemoved(member)


def find_member(club: Club, text: str) -> Member:
    """The member with this number or name. Case and spaces at the ends do not matter, nor do accents where the name
    itself is nobody's, nor `oe` for `ö` where that is nobody's either. Raises UnknownMember or SeveralMembers."""
    members = club.current_members
    found = [
        member
        for member in members
        if name_key(member.name) == name_key(text) or (text.isdecimal() and member.id == int(text))
    ]
    for key in (search_key, spelling_key):
        found = found or [member for member in members if key(member.name) == key(text)]
    if not found:
        raise refused.UnknownMember("the number or name of a member", quoted(text), name=text)
    if len(found) > 1:
        names = ", ".join(member.name for member in found)
        raise refused.SeveralMembers("the name of one member", quoted(text), name=names)
    return found[0]


def create_night(club: Club, date: str, settings: NightSettings, closes: bool = False) -> e.NightCreated:
    """A new night. `date` is ISO 8601; `closes`: a night that is on ends here, as it is. Raises NightIsOn where that
    was not said, UnknownChoice for a number out of range and OptionsClash for rules that are not for two players."""
    if club.nights and not club.nights[-1].is_over and not closes:
        number = len(club.nights)
        raise refused.NightIsOn("a night that is over", f"night {number}", number=number)
    ranges = {
        "games": (settings.games, 1, MAX_GAMES),
        "bye_points": (settings.bye_points, 0, 3),
        "bye_spread": (settings.bye_spread, 0, settings.rules.target),
        "qualify_one_in": (settings.qualify_one_in, 1, 99),
    }
    for name, (value, least, most) in ranges.items():
        if not least <= value <= most:
            raise UnknownChoice(f"{least} to {most}", str(value), name)
    if settings.rules.players != 2 or settings.rules.lowball:
        raise OptionsClash("a variant for two players, without lowball", settings.rules.variant, "rules")
    return e.NightCreated(len(club.nights) + 1, date, settings)


def night_of(club: Club, number: int | None) -> Night:
    """The night of this number; None: the latest. Raises NoNight."""
    number = len(club.nights) if number is None else number
    if not 1 <= number <= len(club.nights):
        raise refused.NoNight(f"a night from 1 to {len(club.nights)}" if club.nights else "a night", str(number))
    return club.nights[number - 1]


def enter_player(club: Club, night: Night, member: MemberId) -> e.PlayerEntered:
    """From the next round that is paired on. Raises UnknownMember or AlreadyEntered."""
    name = _member(club, member).name
    if member in night.present:
        raise refused.AlreadyEntered("a member who does not play yet", quoted(name), name=name)
    return e.PlayerEntered(night.number, member)


def leave(club: Club, night: Night, member: MemberId) -> e.PlayerLeft:
    """Raises NotEntered."""
    _check_present(club, night, member)
    return e.PlayerLeft(night.number, member)


def pair_round(club: Club, night: Night) -> e.RoundPaired:
    """The next round. Results of earlier rounds may be missing. Raises AllPaired or TooFewPlayers."""
    number = len(night.rounds) + 1
    if number > night.settings.games:
        raise refused.AllPaired(f"a round up to {night.settings.games}", str(number))
    if len(night.present) < 2:
        raise refused.TooFewPlayers("two players", str(len(night.present)))
    round = next_round(night)
    head_starts = tuple(head_start(club.members, night.settings, pair) for pair in round.games)
    return e.RoundPaired(night.number, number, round.games, round.byes, head_starts)


def check_tables_closed(night: Night) -> None:
    """Raises TablesOpen while a paired game has no result that counts."""
    if still_open := len({game.table for game in night.open_games}):
        number = len(night.rounds) + 1
        raise refused.TablesOpen("results of all tables", f"{still_open} open", number=still_open, round=number)


def unpair_round(night: Night, reason: str = "") -> e.RoundUnpaired:
    """Withdraw the pairing of the last paired round, for example because somebody came late. No result changes, so the
    reason may be left out. Raises RoundNotPaired or RoundHasResults."""
    last = round_of(night, max(1, len(night.rounds)))
    if last.has_results:
        raise refused.RoundHasResults("a round without results", f"round {last.number}", number=last.number)
    return e.RoundUnpaired(night.number, last.number, _tidy(reason))


def report_result(
    club: Club, night: Night, number: int, table: int, scores: tuple[int, ...], by: MemberId = ORGANISER
) -> e.ResultReported | e.ResultConfirmed:
    """The scores of a finished game, in the order of its pair. A player who reports what the opponent reported confirms
    it. Raises RoundNotPaired, NoSuchTable, NotAtTable, NotAResult or ResultIsFinal."""
    if by != ORGANISER:
        _check_at_table(club, night, number, table, by)
    game = _unconfirmed_game(night, number, table)
    _check_scores(night.settings, scores)
    if by != ORGANISER and game.scores == scores:
        return e.ResultConfirmed(night.number, number, table, by)
    return e.ResultReported(night.number, number, table, scores, by)


def confirm_result(club: Club, night: Night, number: int, table: int, by: MemberId) -> e.ResultConfirmed:
    """A player agrees with the reported scores. Raises RoundNotPaired, NoSuchTable, NotAtTable, NoResult or
    ResultIsFinal."""
    _check_at_table(club, night, number, table, by)
    game = _unconfirmed_game(night, number, table)
    if not game.scores:
        raise refused.NoResult("a reported result", f"none at table {table}", number=table)
    return e.ResultConfirmed(night.number, number, table, by)


def sign_result(night: Night, number: int, table: int, scores: tuple[int, ...]) -> e.ResultSigned:
    """The scores of the cards that both players have signed. Raises RoundNotPaired, NoSuchTable, NotAResult or
    ResultIsFinal."""
    _unconfirmed_game(night, number, table)
    _check_scores(night.settings, scores)
    return e.ResultSigned(night.number, number, table, scores)


def correct_result(night: Night, number: int, table: int, scores: tuple[int, ...], reason: str) -> e.ResultCorrected:
    """The organiser sets the scores, whatever was reported. Raises RoundNotPaired, NoSuchTable, NotAResult,
    ReasonMissing, or MatchDecided for a game of a match in which it changes nothing any more."""
    _check_correction(night, number, table, scores)
    return e.ResultCorrected(night.number, number, table, scores, _checked_reason(reason))


def choose_result(
    night: Night, number: int, table: int, scores: tuple[int, ...], by: MemberId, board: str = ""
) -> e.ResultChosen:
    """The organiser decides for what a player entered, or, where `by` is ORGANISER, for what a board sent. Raises as
    `correct_result`, and NotAtTable for a player of another table."""
    game = _check_correction(night, number, table, scores)
    if by != ORGANISER and by not in game.players:
        raise refused.NotAtTable(f"a player of table {table}", str(by), name=str(by), number=table)
    return e.ResultChosen(night.number, number, table, scores, by, board)


def draw_bracket(
    club: Club,
    night: Night,
    kind: e.BracketKind = e.BracketKind.MAIN,
    best_of: int = BEST_OF[0],
    members: Sequence[MemberId] | None = None,
) -> e.BracketDrawn:
    """Begin play-offs, seeded by the standings. Without `members` the main bracket has the qualifiers, and the
    consolation everybody else who is present. Raises GamesOpen, BracketHasResults, NotEntered, TooFewPlayers or
    UnknownChoice."""
    if best_of not in BEST_OF:
        raise UnknownChoice(f"one of {', '.join(map(str, BEST_OF))}", str(best_of), "best_of")
    if still_open := len(night.open_games):
        raise refused.GamesOpen("confirmed results of all games", f"{still_open} open", number=still_open)
    if kind in night.brackets and night.brackets[kind].has_results:
        raise refused.BracketHasResults("play-offs without results", f"the {kind.value} bracket has some")
    for member in members or ():
        _check_present(club, night, member)
    chosen = usual_seeds(night, kind) if members is None else members
    seeds = tuple(member for member in candidates(night) if member in chosen)
    if not seeds:
        raise refused.TooFewPlayers("a player", "none")
    return e.BracketDrawn(night.number, kind, best_of, seeds)


def candidates(night: Night) -> tuple[MemberId, ...]:
    """Who can be drawn into a bracket: the players who are present, in the order of the standings."""
    return tuple(row.member for row in standings(night) if row.member in night.present)


def usual_seeds(night: Night, kind: e.BracketKind) -> tuple[MemberId, ...]:
    """The members of a bracket where the organiser names none."""
    qualified = qualifiers(night).members
    if kind is e.BracketKind.MAIN:
        return qualified
    main = night.brackets.get(kind.MAIN)
    return tuple(member for member in candidates(night) if member not in (main.seeds if main else qualified))


def bracket_of(night: Night, kind: e.BracketKind) -> Bracket:
    """The play-offs that were drawn. Raises NoBracket."""
    if kind not in night.brackets:
        raise refused.NoBracket("a bracket that is drawn", kind.value)
    return night.brackets[kind]


def report_match(
    night: Night, kind: e.BracketKind, number: int, match: int, wins: tuple[int, ...], reason: str = ""
) -> e.MatchReported:
    """Games won by the two players of a match, in the order of the bracket. A second report corrects the first and
    needs a reason. Raises NoBracket, NoSuchMatch, NotAMatchResult, NextMatchPlayed or ReasonMissing."""
    bracket = bracket_of(night, kind)
    found = bracket.match(number, match)
    if found is None or not found.is_ready:
        raise refused.NoSuchMatch("a match of two known players", f"match {match} of round {number}")
    needed = bracket.needed
    if len(wins) != 2 or max(wins) != needed or not 0 <= min(wins) < needed:
        got = "-".join(map(str, wins))
        raise refused.NotAMatchResult(f"{needed} games for the winner, fewer for the loser", got, number=needed)
    if found.wins:
        if bracket.has_begun_after(number, match):
            raise refused.NextMatchPlayed("a match without a result after it", f"match {match} of round {number}")
        reason = _checked_reason(reason)
    return e.MatchReported(night.number, kind, number, match, wins, reason)


def _member(club: Club, member: MemberId) -> Member:
    if member not in club.members or member in club.removed:
        raise refused.UnknownMember("the number of a member", str(member), name=str(member))
    return club.members[member]


def _checked_name(club: Club, name: str, own: MemberId | None) -> str:
    name = normalize("NFC", tidy_name(name))
    if not is_name(name, LONGEST_NAME) or name.isdecimal():
        expected = f"1 to {LONGEST_NAME} letters, not only digits"
        raise refused.NotAName(expected, quoted(name), "name", number=LONGEST_NAME)
    if any(name_key(member.name) == name_key(name) and member.id != own for member in club.current_members):
        raise refused.MemberExists("a name that no member has", quoted(name), name=name)
    return name


def _checked_handicap(handicap: int) -> int:
    if not 0 <= handicap <= MAX_HANDICAP:
        raise UnknownChoice(f"0 to {MAX_HANDICAP} holes", str(handicap), "handicap")
    return handicap


def _tidy(reason: str) -> str:
    return " ".join(reason.split())


def _checked_reason(reason: str) -> str:
    tidy = _tidy(reason)
    if not tidy:
        raise refused.ReasonMissing("a reason", "none")
    return tidy


def round_of(night: Night, number: int) -> Round:
    """A round that is paired, from 1. Raises RoundNotPaired."""
    if not 1 <= number <= len(night.rounds):
        raise refused.RoundNotPaired(
            f"a round from 1 to {len(night.rounds)}" if night.rounds else "a round that is paired",
            str(number),
            number=number,
        )
    return night.rounds[number - 1]


def _game(night: Night, number: int, table: int) -> Game:
    game = night.fixture(number, table)
    if game is None:
        round_of(night, number)
        raise refused.NoSuchTable(f"a table of round {number}", f"table {table}", number=table)
    return game


def _unconfirmed_game(night: Night, number: int, table: int) -> Game:
    game = _game(night, number, table)
    if game.is_official or night.is_settled(game):
        raise refused.ResultIsFinal("a game without a confirmed result", f"table {table} of round {number}")
    return game


def _check_present(club: Club, night: Night, member: MemberId) -> None:
    if member not in night.present:
        name = club.name(member)
        raise refused.NotEntered("a player of the night", quoted(name), name=name)


def _check_at_table(club: Club, night: Night, number: int, table: int, member: MemberId) -> None:
    if member in _game(night, number, table).players:
        return
    name = club.name(member)
    other = night.rounds[number - 1].game_of(member) if number <= len(night.rounds) else None  # None: a match
    expected = f"a player of table {table} in round {number}"
    if other is None:
        raise refused.NotAtTable(expected, quoted(name), name=name, number=table)
    got = f"{quoted(name)} of table {other.table}"
    raise refused.AtOtherTable(expected, got, name=name, number=table, round=number, other=other.table)


def _check_correction(night: Night, number: int, table: int, scores: tuple[int, ...]) -> Game:
    game = _game(night, number, table)
    if night.is_settled(game):
        raise refused.MatchDecided("a game of a match that is open", f"round {number}, table {table}")
    _check_scores(night.settings, scores)
    return game


def _check_scores(settings: NightSettings, scores: tuple[int, ...]) -> None:
    target = settings.rules.target
    if not settings.is_result(scores):
        got = "-".join(map(str, scores))
        raise refused.NotAResult(f"{target} holes for the winner, fewer for the loser", got, number=target)
