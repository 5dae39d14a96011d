"""Adds past games to the store, and to its totals: of persons, of pairs of sides, of variants and of scorecards.

`RunningTotals.add` is the only code that changes a total. It is called for each game once, in the order in which they
were played: for a new game, for all games when the file is made again, and for the games of the store when names were
merged. So the totals are always those of a fold of all games, and a test compares them with one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from firmware_host.stats.figures_store import clear_totals, transaction, with_checksum, without_checksum
from firmware_host.stats.past_game import PastGame, decode, encode, numbers_of, seat_of
from firmware_host.stats.people import People, Person, person_named
from firmware_host.stats.review_totals import add_stored_review
from firmware_host.stats.scorecards import GAMES_A_CARD, kind_of, places_in
from firmware_host.stats.statistics import HeadToHead, Names, PlayerFigures, head_to_heads_of, players_of

Row = tuple[object, ...]


class PersonTotals(Struct):
    """A row of `person`. `figures.name` is the key of the person, `shown` the name."""

    person: int
    shown: str
    listed: int
    """Listed games in which the person had a seat."""
    figures: PlayerFigures


class _LastCard(Struct):
    """A row of `last_card`: the last card of a person and a kind of game."""

    card: int
    size: int


class _Rows(Struct):
    """Rows to insert, which no later game changes."""

    places: list[Row] = field(default_factory=list)
    meeting_games: list[Row] = field(default_factory=list)
    cards: list[Row] = field(default_factory=list)
    card_lines: list[Row] = field(default_factory=list)


class RunningTotals:
    """The totals while games are added, in the transaction of the caller, who calls `flush` at its end."""

    def __init__(self, database: sqlite3.Connection, people: People) -> None:
        self._database = database
        self._people = people
        self._persons: dict[str, PersonTotals] = {}
        self._meetings: dict[tuple[Names, Names], tuple[int, HeadToHead]] = {}
        self._variants: dict[str, int] = {}
        self._last_cards: dict[tuple[str, str], _LastCard] = {}
        """By key of the person and kind."""
        self._card_numbers: dict[int, int] = {}
        """By number of the person: how many cards there are."""
        self._rows = _Rows()
        self._next = {table: self._first_free(table) for table in ("person", "meeting", "card")}

    def _first_free(self, table: str) -> int:
        (last,) = self._database.execute(f"SELECT max({table}) FROM {table}").fetchone()
        return (last or 0) + 1

    def _take(self, table: str) -> int:
        self._next[table] += 1
        return self._next[table] - 1

    def add(self, past: PastGame, *, is_listed: bool) -> None:
        """Add the next game. A demonstration changes nothing."""
        if past.figures.is_demo:
            return
        keys = tuple(map(self._people.key_of, past.summary.names))
        for key, name in zip(keys, past.summary.names, strict=True):
            self._person(key).shown = person_named(name, self._people).name
        hands = dict.fromkeys(keys, 0)
        for key, seat in zip(keys, past.figures.seats, strict=True):
            hands[key] += seat.hand.times
        self._rows.places += [(self._person(key).person, past.summary.game, times) for key, times in hands.items()]
        if is_listed:
            self._add_listed(past.with_names(keys))
        self._add_to_cards(past)

    def _add_listed(self, past: PastGame) -> None:
        variant = past.summary.rules.variant
        game = past.summary.game
        self._variants[variant] = self._variants.get(variant, 0) + 1
        for key in set(past.summary.names):
            self._person(key).listed += 1
        for player in players_of(past.figures):
            person = self._person(player.name)
            person.figures += player
        pairs = head_to_heads_of(past.figures)
        for pair in pairs:
            meeting, before = self._meeting(pair.sides)
            self._meetings[pair.sides] = meeting, before + pair
        self._rows.meeting_games += [(self._meeting(sides)[0], game) for sides in {pair.sides for pair in pairs}]

    def _add_to_cards(self, past: PastGame) -> None:
        kind = json.dumps(kind_of(past.summary.rules))
        places = places_in(past.summary, self._without_name)
        for person in sorted((place.person for place in places), key=lambda person: person.key):
            card = self._card(person, kind)
            card.size += 1
            self._rows.card_lines.append((card.card, card.size, past.summary.game))

    def _without_name(self, name: str) -> Person:
        """The person with a name, equal for all spellings of it."""
        return Person(self._people.key_of(name), "", ())

    def _card(self, person: Person, kind: str) -> _LastCard:
        """The card for the next game of the person: the last one, or a new one."""
        owner = self._person(person.key).person
        found = self._last_cards.get((person.key, kind))
        if found is None:
            stored = "SELECT card, size FROM last_card WHERE person = ? AND kind = ?"
            row = self._database.execute(stored, (owner, kind)).fetchone()
            found = _LastCard(*row) if row else None
        if found is None or found.size >= GAMES_A_CARD:
            found = self._new_card(owner)
        self._last_cards[person.key, kind] = found
        return found

    def _new_card(self, owner: int) -> _LastCard:
        """An empty card of the person with this number."""
        if owner not in self._card_numbers:
            last = "SELECT max(number) FROM card WHERE person = ?"
            self._card_numbers[owner] = self._database.execute(last, (owner,)).fetchone()[0] or 0
        self._card_numbers[owner] += 1
        card = self._take("card")
        self._rows.cards.append((card, owner, self._card_numbers[owner]))
        return _LastCard(card, 0)

    def _person(self, key: str) -> PersonTotals:
        if key not in self._persons:
            self._persons[key] = self._stored_person(key) or PersonTotals(
                self._take("person"), key, 0, PlayerFigures(key)
            )
        return self._persons[key]

    def _stored_person(self, key: str) -> PersonTotals | None:
        row = self._database.execute(f"{SELECT_PERSONS} WHERE key = ?", (key,)).fetchone()
        return person_of(row) if row else None

    def _meeting(self, sides: tuple[Names, Names]) -> tuple[int, HeadToHead]:
        if sides not in self._meetings:
            row = self._database.execute(f"{SELECT_MEETINGS} WHERE sides = ?", (text_of(sides),)).fetchone()
            self._meetings[sides] = meeting_of(row) if row else (self._take("meeting"), HeadToHead(sides))
        return self._meetings[sides]

    def flush(self) -> None:
        """Write what was added."""
        execute = self._database.executemany
        persons = (
            with_checksum(each.person, key, each.shown, each.listed, json.dumps(_totals_of(each.figures)))
            for key, each in self._persons.items()
        )
        execute("INSERT OR REPLACE INTO person VALUES (?, ?, ?, ?, ?, ?)", persons)
        meetings = (
            with_checksum(meeting, text_of(sides), json.dumps(_totals_of_pair(pair)))
            for sides, (meeting, pair) in self._meetings.items()
        )
        execute("INSERT OR REPLACE INTO meeting VALUES (?, ?, ?, ?)", meetings)
        last_cards = (
            (self._persons[key].person, kind, last.card, last.size) for (key, kind), last in self._last_cards.items()
        )
        execute("INSERT OR REPLACE INTO last_card VALUES (?, ?, ?, ?)", last_cards)
        variants = ((name, games, games) for name, games in self._variants.items())
        execute("INSERT INTO variant VALUES (?, ?) ON CONFLICT DO UPDATE SET games = games + ?", variants)
        execute("INSERT INTO place VALUES (?, ?, ?)", self._rows.places)
        execute("INSERT INTO meeting_game VALUES (?, ?)", self._rows.meeting_games)
        execute("INSERT INTO card VALUES (?, ?, ?)", self._rows.cards)
        execute("INSERT INTO card_line VALUES (?, ?, ?)", self._rows.card_lines)


SELECT_PERSONS = "SELECT person, key, name, listed, totals, checksum FROM person"
SELECT_MEETINGS = "SELECT meeting, sides, totals, checksum FROM meeting"


def person_of(row: Row) -> PersonTotals:
    """A row of SELECT_PERSONS. Raises DamagedFigures."""
    person, key, shown, listed, totals = without_checksum(row)
    games, won, skunks, skunked, seat = json.loads(totals)
    return PersonTotals(person, shown, listed, PlayerFigures(key, games, won, skunks, skunked, seat_of(seat)))


def _totals_of(figures: PlayerFigures) -> list[object]:
    return [figures.games, figures.won, figures.skunks, figures.skunked, numbers_of(figures.seat)]


def _totals_of_pair(pair: HeadToHead) -> list[object]:
    return [*pair.won, *pair.skunks, *map(numbers_of, pair.figures)]


def meeting_of(row: Row) -> tuple[int, HeadToHead]:
    """The number and the totals in a row of SELECT_MEETINGS; sides are keys of persons. Raises DamagedFigures."""
    meeting, sides, totals = without_checksum(row)
    one, other = json.loads(sides)
    won, lost, skunks, skunked, figures, of_other = json.loads(totals)
    pair = HeadToHead((tuple(one), tuple(other)), (won, lost), (skunks, skunked), (seat_of(figures), seat_of(of_other)))
    return meeting, pair


def text_of(sides: tuple[Names, Names]) -> str:
    """The sides of a meeting as the text by which it is found."""
    return json.dumps(sides)


SealedGame = tuple[PastGame, int | None]
"""A game with the seal of its last row in the journal."""


def add_games(
    database: sqlite3.Connection, games: Iterable[SealedGame], people: People, *, is_hidden: bool = False
) -> None:
    """Add games in the transaction of the caller, the oldest first.

    `is_hidden`: they are in no list and in no statistics, because they are not over.
    """
    totals = RunningTotals(database, people)
    added = list[PastGame]()
    for past, seal in games:
        is_listed = past.is_begun and not past.figures.is_demo and not is_hidden
        database.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _row_of(past, seal, is_listed=is_listed))
        totals.add(past, is_listed=is_listed)
        added.append(past)
    totals.flush()
    _add_reviews(database, added, people)


def _add_reviews(database: sqlite3.Connection, games: Iterable[PastGame], people: People) -> None:
    for past in games:
        if not past.figures.is_demo:
            add_stored_review(database, past.summary.game, past.summary.names, people)


def _row_of(past: PastGame, seal: int | None, *, is_listed: bool) -> Row:
    summary = past.summary
    variant = summary.rules.variant
    day = summary.started_at.date().isoformat()
    is_won = summary.winner is not None
    return with_checksum(summary.game, seal, int(is_listed), int(is_won), variant, day, encode(past))


def count_again(database: sqlite3.Connection, people: People) -> None:
    """Make all totals again from the games in the store, after names were merged or separated."""
    with transaction(database):
        clear_totals(database, people)
        totals = RunningTotals(database, people)
        for past, is_listed in stored_games(database, "FROM game ORDER BY game"):
            totals.add(past, is_listed=is_listed)
        totals.flush()
        reviewed = "FROM game WHERE game IN (SELECT game FROM review)"
        _add_reviews(database, [past for past, _ in stored_games(database, reviewed)], people)


def stored_games(database: sqlite3.Connection, source: str, *values: object) -> Iterator[tuple[PastGame, bool]]:
    """Games of the store, each with whether it is listed. `source` is SQL from FROM on. Raises DamagedFigures."""
    columns = "game.game, seal, is_listed, is_won, variant, day, body, game.checksum"
    for row in database.execute(f"SELECT {columns} {source}", values):
        game, _, is_listed, *_, body = without_checksum(row)
        yield decode(game, body), bool(is_listed)
