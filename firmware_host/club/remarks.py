"""Sentences for the organiser and for players: remarks on games, missing results, and what is wrong with a list of
members."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware_host.club.events import Event, PhoneJoined, ResultChosen, ResultConfirmed, ResultReported
from firmware_host.club.game import Game
from firmware_host.club.member_list import ListRefused, ListWords
from firmware_host.club.members import ORGANISER
from firmware_host.club.rule_errors import MemberAgain, TwiceInList
from firmware_host.club.state import Club, Night, Round
from firmware_host.ui.texts.error_messages import error_message
from firmware_host.ui.translator import Translator

LONGEST_QUOTE = 40
"""Characters of a line of a list that are quoted."""


def remark(club: Club, game: Game, tr: Translator) -> str:
    """What is special about a game: a correction, a dispute, a missing confirmation, or a head start."""
    if game.reason:
        return tr("corrected: {reason}").format(reason=reason_in_words(club, game.reason, tr))
    if game.is_disputed:
        entered = tr("{name} entered {scores}")
        claims = ((club.name(member), "-".join(map(str, scores))) for member, scores in game.claims.items())
        return ", ".join(entered.format(name=name, scores=scores) for name, scores in claims)
    if game.scores and not game.is_official:
        waiting = [club.name(player) for player in game.players if player not in game.confirmed_by]
        return tr("not confirmed by {names}").format(names=", ".join(waiting))
    if game.head_start and not game.scores:
        name = club.name(game.players[game.head_start < 0])
        holes = abs(game.head_start)
        text = tr.counted("{name} starts {number} hole ahead", "{name} starts {number} holes ahead", holes)
        return text.format(name=name, number=holes)
    return ""


def reason_in_words(club: Club, reason: str | ResultChosen, tr: Translator) -> str:
    """Why the organiser corrected a result: in the words of the organiser, or whose result was chosen."""
    match reason:
        case ResultChosen(by=by) if by != ORGANISER:
            return tr("the organiser decided for the entry of {name}").format(name=club.name(by))
        case ResultChosen(board=board):
            return tr("the organiser decided for the result of {board}").format(board=board)
    return reason


def author(club: Club, event: Event, tr: Translator) -> str:
    """Who reported or confirmed a result, and on which phone or board; empty for other events."""
    match event:
        case ResultReported(by=member) if member == ORGANISER:
            return tr("the organiser")
        case PhoneJoined(phone=phone, member=member) | ResultReported(by=member, phone=phone):
            board = ""
        case ResultConfirmed(by=member, phone=phone, board=board):
            pass
        case _:
            return ""
    place = tr("phone {number}").format(number=phone) if phone else board
    return f"{club.name(member)} · {place}" if place else club.name(member)


def list_in_words(refused: ListRefused, tr: Translator) -> str:
    """Every line of a list of members that cannot be used, and what to do about names that are known."""
    if not refused.bad_lines:
        return tr(refused.sentence)
    text = tr("Line {number}, “{text}”: {sentence}")
    lines = [
        text.format(number=line.number, text=shortened(line.text), sentence=error_message(why, tr))
        for line, why in refused.bad_lines
    ]
    if twice := next((bad.why for bad in refused.bad_lines if isinstance(bad.why, MemberAgain | TwiceInList)), None):
        advice = tr("The same: leave these lines out. Another person: write another name, such as {name}.")
        lines.append(advice.format(name=f"{twice.evidence['name']} 2"))
    return "\n".join([*lines, tr("Nobody was added.")])


def shortened(text: str) -> str:
    """The text without its end where that is long."""
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


def list_words(tr: Translator) -> ListWords:
    """The words of a list of members in English and in the language of the club."""
    plain = ListWords()
    return ListWords(
        plain.first_name | {tr("First name")},
        plain.name | {tr("Name"), tr("First and last name")},
        plain.last_name | {tr("Last name")},
        plain.handicap | {tr("Handicap")},
        plain.guest | {tr("Guest"), tr("yes")},
        plain.nothing | {tr("no")},
    )


def missing_results(night: Night, tr: Translator) -> Iterator[str]:
    """How many results of paired games are not confirmed, and how many games have none; nothing where all count."""
    waiting = sum(bool(game.scores) for game in night.open_games)
    unplayed = len(night.open_games) - waiting
    if waiting:
        text = tr.counted("{number} result is not confirmed yet.", "{number} results are not confirmed yet.", waiting)
        yield text.format(number=waiting)
    if unplayed:
        text = tr.counted("{number} game has no result yet.", "{number} games have no result yet.", unplayed)
        yield text.format(number=unplayed)


def open_tables(rounds: Iterable[Round], tr: Translator) -> Iterator[str]:
    """A sentence for each of the rounds that has tables whose result does not count yet."""
    for round in rounds:
        if tables := [str(game.table) for game in round.open_games]:
            text = tr.counted(
                "Table {tables} of round {number} is still open.",
                "Tables {tables} of round {number} are still open.",
                len(tables),
            )
            yield text.format(tables=", ".join(tables), number=round.number)
