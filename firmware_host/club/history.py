"""The events of a club in sentences: for the audit, and for the organiser when a board sends something.

A sentence names people by the names that they had then, and the players of a table as they sat there at that moment. So
the events are played again from the first one of the night; those of other nights are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import chain
from typing import NamedTuple

from firmware_host.club import events as e
from firmware_host.club.evolve import evolve
from firmware_host.club.game import Game
from firmware_host.club.members import ORGANISER, MemberId
from firmware_host.club.remarks import author, reason_in_words
from firmware_host.club.state import Club
from firmware_host.ui.club_place import place_in_words
from firmware_host.ui.translator import Translator


class Topic(Enum):
    """What an event is about."""

    RESULTS = "results"
    ROUNDS = "rounds"
    MEMBERS = "members"
    JOINING = "joining"
    PLAYOFFS = "playoffs"


class Entry(NamedTuple):
    """One line of the audit. `people` are those whom it concerns."""

    seq: int
    written_at: str
    topic: Topic
    sentence: str
    people: frozenset[MemberId]


Row = tuple[int, str, e.Event]
"""Number of the row, its moment in ISO 8601, and its event."""


def entries(rows: Iterable[Row], number: int, tr: Translator) -> Iterator[Entry]:
    """The events of one night, and those about members while it was the latest one, the oldest first."""
    club = Club()
    latest = 0
    for seq, written_at, event in rows:
        latest = event.night if isinstance(event, e.NightCreated) else latest
        night = getattr(event, "night", None)
        if night not in (None, number):
            continue
        before = club
        club = evolve(club, event)
        if night is None and max(latest, 1) != number:
            continue
        yield Entry(seq, written_at, topic_of(event), sentence_of(before, club, event, tr), people_of(before, event))


def topic_of(event: e.Event) -> Topic:
    """What the event is about."""
    match event:
        case e.ResultReported() | e.ResultConfirmed() | e.ResultSigned() | e.ResultCorrected() | e.ResultChosen():
            return Topic.RESULTS
        case e.HighHandsNoted() | e.ResultReceived() | e.ResultUnmatched() | e.UnmatchedSeen():
            return Topic.RESULTS
        case e.MemberAdded() | e.MemberChanged() | e.MemberRemoved():
            return Topic.MEMBERS
        case e.PhoneJoined() | e.PhoneReleased() | e.JoinCodeSet() | e.BoardJoined() | e.BoardReleased():
            return Topic.JOINING
        case e.BracketDrawn() | e.MatchReported() | e.MatchTablesSwapped():
            return Topic.PLAYOFFS
    return Topic.ROUNDS


def people_of(before: Club, event: e.Event) -> frozenset[MemberId]:
    """Everybody whom the event names, the players of the table that it names, and ORGANISER for what only he does."""
    people = {getattr(event, "member", ORGANISER), getattr(event, "by", ORGANISER), *getattr(event, "players", ())}
    people |= {*getattr(event, "seeds", ()), *getattr(event, "byes", ()), *chain(*getattr(event, "games", ()))}
    if isinstance(event, e.MatchTablesSwapped):
        people |= {*chain(*_swapped(before, event))}
    if isinstance(event, GAME_EVENTS) and (game := _game(before, event)):
        people |= set(game.players)
    return frozenset(people | {ORGANISER} if is_by_organiser(event) else people - {ORGANISER})


def is_by_organiser(event: e.Event) -> bool:
    """Whether the event comes from the organiser's computer, and from no board and no phone."""
    match event:
        case e.ResultReported(by=by):
            return by == ORGANISER
        case e.ResultConfirmed(board=board, phone=phone):
            return not board and not phone
        case e.ResultReceived() | e.ResultUnmatched() | e.BoardJoined() | e.PhoneJoined() | e.PhoneReleased():
            return False
    return True


EnteredEvent = e.ResultReported | e.ResultConfirmed | e.ResultSigned | e.ResultCorrected | e.ResultChosen
ENTERED_EVENTS = (e.ResultReported, e.ResultConfirmed, e.ResultSigned, e.ResultCorrected, e.ResultChosen)
GameEvent = EnteredEvent | e.ResultReceived
GAME_EVENTS = (*ENTERED_EVENTS, e.ResultReceived)


def _game(club: Club, event: GameEvent) -> Game | None:
    return club.nights[-1].fixture(event.round, event.table) if club.nights else None


def _swapped(before: Club, event: e.MatchTablesSwapped) -> dict[e.Pair, None]:
    """The players of the games that got another table, each pair once."""
    night = before.nights[-1]
    return dict.fromkeys(game.players for table in (event.one, event.two) for game in night.match_games_at(table))


def place_of(game: Game, tr: Translator) -> str:
    """Where a game is played."""
    return place_in_words(game.round, game.table, game.bracket, tr)


def sentence_of(before: Club, after: Club, event: e.Event, tr: Translator) -> str:
    """What happened, for the organiser. `before` and `after` are the club around the event; its night is the latest."""
    match event:
        case e.MemberAdded() | e.MemberChanged() | e.MemberRemoved():
            return _of_member(before, event, tr)
        case e.ResultReceived() | e.ResultUnmatched():
            return event_in_words(after, event, tr)
        case e.ResultReported() | e.ResultConfirmed() | e.ResultSigned() | e.ResultCorrected() | e.ResultChosen():
            return _of_result(after, event, tr)
        case e.RoundPaired() | e.RoundArranged() | e.RoundUnpaired():
            return _of_round(after, event, tr)
        case e.BracketDrawn() | e.MatchReported():
            return _of_playoffs(after, event, tr)
        case e.MatchTablesSwapped(one=one, two=two):
            names = ", ".join(" – ".join(map(before.name, players)) for players in _swapped(before, event))
            text = tr("Play-offs: tables {one} and {two} are exchanged: {names}.")
            return text.format(one=one, two=two, names=names)
        case e.NightCreated(number, date):
            return tr("Club night {number}, {date}").format(number=number, date=date)
    return _of_player(after, event, tr)


def _of_member(before: Club, event: e.MemberAdded | e.MemberChanged | e.MemberRemoved, tr: Translator) -> str:
    if isinstance(event, e.MemberRemoved):
        return tr("{name} is removed from the club.").format(name=before.name(event.member))
    kind = tr("guest") if event.is_guest else tr("member")
    if isinstance(event, e.MemberAdded):
        text = tr("New: {name}, {kind}, handicap {number}.")
        return text.format(name=event.name, kind=kind, number=event.handicap)
    text = tr("{before} is changed: {name}, {kind}, handicap {number}.")
    return text.format(before=before.name(event.member), name=event.name, kind=kind, number=event.handicap)


def _of_player(club: Club, event: e.Event, tr: Translator) -> str:
    match event:
        case e.PlayerEntered(_night, member):
            return tr("{name} plays tonight.").format(name=club.name(member))
        case e.PlayerLeft(_night, member):
            return tr("{name} leaves.").format(name=club.name(member))
        case e.LeaveUndone(_night, member):
            return tr("{name} has not left: the leave is undone.").format(name=club.name(member))
        case e.HighHandsNoted(_night, member, points, count):
            return tr("{name}: hands of {points}: {count}.").format(name=club.name(member), points=points, count=count)
        case e.PhoneJoined(_night, phone, member):
            return tr("{name} joins with phone {number}.").format(name=club.name(member), number=phone)
        case e.PhoneReleased(_night, phone):
            name = club.name(club.nights[-1].phones[phone].member)
            return tr("Phone {number} of {name} is released.").format(number=phone, name=name)
        case e.JoinCodeSet():
            return tr("There is a new code for boards and phones.")
        case e.BoardJoined(_night, board, table):
            return tr("{board} joins at table {table}.").format(board=board, table=table)
        case e.BoardReleased(_night, board):
            return tr("{board} is taken from its table.").format(board=board)
        case e.UnmatchedSeen(_night, board):
            return tr("{board}: the organiser leaves its result unused.").format(board=board)
    raise TypeError(f"expected an event of a player or a board, got {type(event).__name__}")


def _of_round(club: Club, event: e.RoundPaired | e.RoundArranged | e.RoundUnpaired, tr: Translator) -> str:
    names = [club.name(member) for member in getattr(event, "players", ())]
    match event:
        case e.RoundUnpaired(_night, number, reason):
            text = tr("Round {number} is withdrawn.").format(number=number)
            return f"{text} {reason}" if reason else text
        case e.RoundPaired(_night, number, games, byes):
            drawn = ", ".join(f"{club.name(one)} – {club.name(two)}" for one, two in games)
            text = tr("Round {number} is drawn: {games}.").format(number=number, games=drawn)
            free = tr("Bye: {names}.").format(names=", ".join(map(club.name, byes)))
            return f"{text} {free}" if byes else text
        case e.RoundArranged(_night, number, e.ByHand.UNDO):
            return tr("Round {number}: the last change of places is undone.").format(number=number)
        case e.RoundArranged(_night, number, e.ByHand.BYE):
            return tr("Round {number}: {name} gets a bye, by hand.").format(number=number, name=names[0])
        case e.RoundArranged(_night, number, e.ByHand.PAIR):
            return tr("Round {number}: {first} and {second} are paired by hand.").format(
                number=number, first=names[0], second=names[1]
            )
        case e.RoundArranged(_night, number, e.ByHand.SWAP):
            return tr("Round {number}: another table for the game of {names}.").format(
                number=number, names=", ".join(names)
            )
    raise TypeError(f"expected an event of a round, got {type(event).__name__}")


def _of_result(club: Club, event: EnteredEvent, tr: Translator) -> str:
    game = _game(club, event)
    assert game
    first, second = (f"{club.name(player)} {score}" for player, score in zip(game.players, game.scores, strict=True))
    said = tr("{place}: {first}, {second}.").format(place=place_of(game, tr), first=first, second=second)
    match event:
        case e.ResultReported():
            how = tr("Entered by {name}.").format(name=author(club, event, tr))
        case e.ResultConfirmed():
            how = tr("Confirmed by {name}.").format(name=author(club, event, tr))
        case e.ResultSigned():
            one, two = map(club.name, game.players)
            how = tr("Entered by the organiser for {one} and {two}, from their signed cards.").format(one=one, two=two)
        case e.ResultCorrected(reason=reason):
            how = tr("Corrected by the organiser: {reason}.").format(reason=reason.rstrip("."))
        case e.ResultChosen():
            how = tr("Corrected by the organiser: {reason}.").format(reason=reason_in_words(club, event, tr))
    return f"{said} {how}"


def _of_playoffs(club: Club, event: e.BracketDrawn | e.MatchReported, tr: Translator) -> str:
    title = tr("Play-offs") if event.bracket is e.BracketKind.MAIN else tr("Consolation")
    if isinstance(event, e.BracketDrawn):
        return tr("{title} drawn: {names}.").format(title=title, names=", ".join(map(club.name, event.seeds)))
    match = club.nights[-1].brackets[event.bracket].match(event.round, event.match)
    assert match
    names = (club.name(player) if player else "?" for player in match.players)
    first, second = (f"{name} {wins}" for name, wins in zip(names, event.wins, strict=True))
    text = tr("{title}, round {number}, match {match}: {first}, {second}.")
    said = text.format(title=title, number=event.round, match=event.match, first=first, second=second)
    return f"{said} {event.reason}" if event.reason else said


def event_in_words(club: Club, event: e.Event, tr: Translator) -> str:
    """What was received, for the organiser."""
    match event:
        case e.ResultReceived(scores=scores, board=board):
            game = _game(club, event)
            assert game
            if not scores:
                return tr("{board}: {place}: the result is undone.").format(board=board, place=place_of(game, tr))
            first, second = (f"{club.name(player)} {score}" for player, score in zip(game.players, scores, strict=True))
            text = tr("{board}: {place}: {first}, {second}.")
            return text.format(board=board, place=place_of(game, tr), first=first, second=second)
        case e.ResultConfirmed(by=by, board=board):
            game = _game(club, event)
            assert game
            text = tr("{board}: {place}: {name} confirms.")
            return text.format(board=board, place=place_of(game, tr), name=club.name(by))
        case e.ResultUnmatched():
            return why_unmatched(event, tr)
    raise TypeError(f"expected an event of a board, got {type(event).__name__}")


def why_unmatched(event: e.ResultUnmatched, tr: Translator) -> str:
    """What a board sent, and why it does not count."""
    reason = {
        e.Unmatched.NO_GAME: tr("They do not play each other tonight."),
        e.Unmatched.NO_RESULT: tr("This is not a game of tonight."),
        e.Unmatched.COUNTS_ALREADY: tr("Another result counts already."),
        e.Unmatched.OTHER_BOARD: tr("Another board is at the table of that game."),
        e.Unmatched.OTHER_DATE: tr("By the clock of the board it was played on another day."),
    }[event.why]
    sides = ", ".join(f"{name} {score}" for name, score in zip(event.names, event.scores, strict=True))
    return tr("{board}: {sides} is not used. {reason}").format(board=event.board, sides=sides, reason=reason)
