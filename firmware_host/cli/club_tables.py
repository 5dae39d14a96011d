"""A club night as text: pairings, movement chart, standings, scorecards, brackets, members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap

from firmware_host.cli.text_table import COLUMNS, blocks_of_columns, text_table
from firmware_host.club.bracket import Bracket, Match
from firmware_host.club.events import BracketKind
from firmware_host.club.game import Game
from firmware_host.club.honours import grand_slams, high_hands
from firmware_host.club.members import Member, MemberId
from firmware_host.club.papers import known_sums
from firmware_host.club.remarks import missing_results, remark
from firmware_host.club.standings import Line, Standing, lines_of, qualifiers, standings
from firmware_host.club.state import Club, Night, Round
from firmware_host.ui.translator import Translator, labelled

NameOf = Callable[[MemberId], str]


def members_in_words(club: Club, tr: Translator) -> Iterator[str]:
    """A heading, and a row for each member."""
    heading = (tr("No."), tr("Name"), tr("Guest"), tr("Handicap"))
    return text_table([heading, *(_member_row(member, tr) for member in club.current_members)], text_columns=3)


def _member_row(member: Member, tr: Translator) -> tuple[str, ...]:
    return str(member.id), member.name, tr("guest") if member.is_guest else "", str(member.handicap)


def night_heading(night: Night, tr: Translator) -> str:
    """Such as "Club night 3, 2026-03-14"."""
    return tr("Club night {number}, {date}").format(number=night.number, date=night.date)


def match_tables_in_words(club: Club, night: Night, tr: Translator) -> Iterator[str]:
    """Who plays where in the play-offs, and the results that do not count yet."""
    yield tr("Tables of the play-offs")
    yield from _games_in_words(club, night.open_match_games, (), tr)


def round_in_words(club: Club, round: Round, tr: Translator) -> Iterator[str]:
    """Who plays where, and the results so far."""
    yield tr("Round {number}").format(number=round.number)
    yield from _games_in_words(club, round.games, round.byes, tr)


def _games_in_words(club: Club, games: Iterable[Game], byes: Iterable[MemberId], tr: Translator) -> Iterator[str]:
    """A heading and one line for each game, by table, and for each bye."""
    heading = (tr("Table"), tr("Player"), tr("Opponent"), tr("Score"), "")
    rows = [heading]
    for game in sorted(games, key=lambda game: game.table):
        first, second = map(club.name, game.players)
        rows.append((str(game.table), first, second, "-".join(map(str, game.scores)), remark(club, game, tr)))
    rows += [("", club.name(member), tr("bye"), "", "") for member in byes]
    yield from text_table(rows, text_columns=len(heading))


def chart_by_table(club: Club, night: Night, tr: Translator) -> Iterator[str]:
    """The movement chart: a row for each table, a column for each round that is paired."""
    tables = range(1, night.most_tables + 1)
    heading = (tr("Table"), *(tr("Round {number}").format(number=round.number) for round in night.rounds))
    rows = [heading, *((str(table), *(_seats(club, round, table) for round in night.rounds)) for table in tables)]
    if any(round.byes for round in night.rounds):
        rows.append((tr("bye"), *(", ".join(map(club.name, round.byes)) for round in night.rounds)))
    return _chart(rows)


def _chart(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """The rounds that fit a line, and the others below them."""
    for place, block in enumerate(blocks_of_columns(rows)):
        if place:
            yield ""
        yield from text_table(block, text_columns=len(block[0]))


def _seats(club: Club, round: Round, table: int) -> str:
    game = round.game_at(table)
    return " - ".join(map(club.name, game.players)) if game else ""


def chart_by_player(club: Club, night: Night, tr: Translator) -> Iterator[str]:
    """The movement chart of each player: the table of each round."""
    heading = (tr("Player"), *(tr("Round {number}").format(number=round.number) for round in night.rounds))
    rows = [(club.name(member), *(_place(round, member, tr) for round in night.rounds)) for member in night.entrants]
    return _chart([heading, *rows])


def _place(round: Round, member: MemberId, tr: Translator) -> str:
    if member in round.byes:
        return tr("bye")
    game = round.game_of(member)
    return str(game.table) if game else ""


def standings_in_words(club: Club, night: Night, tr: Translator) -> Iterator[str]:
    """A row for each player, the best first, and how many results are missing."""
    yield night_heading(night, tr)
    yield from _standing_rows(club.name, standings(night), tr, with_nights=False)
    yield from missing_results(night, tr)
    if night.is_over and qualifiers(night).is_tied:
        yield tr("The last place in the play-offs is tied. The organiser decides.")


def season_in_words(name: NameOf, rows: Sequence[Standing], tr: Translator) -> Iterator[str]:
    """A row for each player of a season, the best first."""
    return _standing_rows(name, rows, tr, with_nights=True)


def honours_in_words(club: Club, nights: Iterable[Night], tr: Translator) -> Iterator[str]:
    """Grand slams and hands of 28 and 29 with their dates; nothing where there are none."""
    slams = list[str]()
    hands = list[str]()
    for night in nights:
        slams += [f"{club.name(member)} ({night.date})" for member in grand_slams(night)]
        for each in high_hands(night):
            times = f" × {each.times}" if each.times > 1 else ""
            hands.append(f"{club.name(each.member)} {each.points}{times} ({night.date})")
    for label, entries in ((tr("Grand slams"), slams), (tr("Hands of 28 and 29"), hands)):
        if entries:
            yield from wrap(labelled(label, ", ".join(entries), tr), COLUMNS)


def _standing_rows(name: NameOf, rows: Sequence[Standing], tr: Translator, with_nights: bool) -> Iterator[str]:
    season = (tr("Nights"), tr("Season points")) if with_nights else ()
    figures = (
        tr("Game points"),
        tr("Won"),
        tr("Spread"),
        tr("Plus"),
        tr("Minus"),
        tr("Games"),
        tr("Byes"),
        tr("Skunks"),
    )
    table = [(tr("Place"), tr("Player"), *season, *figures)]
    for row in rows:
        sums = row.sums
        cells = (sums.game_points, sums.wins, f"{sums.spread:+d}", sums.plus, sums.minus, sums.games)
        head = (str(row.place), name(row.member), *((str(row.nights), str(row.points)) if with_nights else ()))
        table.append((*head, *map(str, (*cells, sums.byes, sums.skunks))))
    return text_table(table, text_columns=2)


def card_in_words(club: Club, night: Night, member: MemberId, tr: Translator) -> Iterator[str]:
    """The scorecard of one player, with lines to sign; the opponents write their initials. It has sums when every game
    is known, as the one to print."""
    yield f"{night_heading(night, tr)}: {club.name(member)}"
    heading = (tr("Round"), tr("Table"), tr("Opponent"), tr("Initials"), tr("Score"))
    figures = (tr("Game points"), tr("Plus"), tr("Minus"))
    rows = [(*heading, *figures), *(_card_line(club, line, tr) for line in lines_of(night, member))]
    sums = known_sums(night, member)
    totals = (str(sums.game_points), str(sums.plus), str(sums.minus)) if sums else ("", "", "")
    rows.append((tr("Total"), "", "", "", "", *totals))
    yield from text_table(rows, text_columns=len(heading))
    won = tr("Won")
    spread = tr("Spread")
    signature = tr("Signature")
    yield f"{won} {sums.wins}, {spread} {sums.spread:+d}" if sums else f"{won} ____, {spread} ____"
    yield f"{signature} ____________________"


def _card_line(club: Club, line: Line, tr: Translator) -> tuple[str, ...]:
    if line.opponent is None:
        return str(line.round), "", tr("bye"), "", "", str(line.game_points), str(line.spread), ""
    name = club.name(line.opponent)
    head = (str(line.round), str(line.table), name, "____", "-".join(map(str, line.scores)))
    if line.is_open:
        return (*head, "", "", "")
    plus, minus = (str(line.spread), "") if line.is_won else ("", str(-line.spread))
    return (*head, str(line.game_points), plus, minus)


def bracket_in_words(club: Club, bracket: Bracket, tr: Translator) -> Iterator[str]:
    """The matches round by round, and who won."""
    is_main = bracket.kind is BracketKind.MAIN
    title = tr("Play-offs") if is_main else tr("Consolation")
    games = tr("best of {number}").format(number=bracket.best_of)
    yield f"{title}, {games}"
    seeds = {member: place for place, member in enumerate(bracket.seeds, start=1)}

    def player(match: Match, side: int) -> str:
        member = match.players[side]
        if member is None:
            return tr("bye") if match.is_bye else "?"
        return f"{seeds[member]}. {club.name(member)}"

    for number, matches in enumerate(bracket.rounds, start=1):
        yield tr("Round {number}").format(number=number)
        rows = [
            (f"  {match.number}", player(match, 0), player(match, 1), "-".join(map(str, match.score)))
            for match in matches
        ]
        yield from text_table(rows, text_columns=4)
    if bracket.champion is not None:
        yield tr("Winner: {name}").format(name=club.name(bracket.champion))
