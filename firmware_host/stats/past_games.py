"""What pages ask of the stored games: lists, totals, persons and scorecards. Each reads as few rows as it shows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.stats.figures_store import DamagedFigures
from firmware_host.stats.past_game import PastGame
from firmware_host.stats.people import People, Person, PersonIndex
from firmware_host.stats.review_totals import Accuracy, accuracy_of
from firmware_host.stats.running_totals import (
    SELECT_MEETINGS,
    SELECT_PERSONS,
    PersonTotals,
    meeting_of,
    person_of,
    stored_games,
    text_of,
)
from firmware_host.stats.scorecards import Place, Scorecard, kind_of, places_in
from firmware_host.stats.statistics import HeadToHead, Names, PlayerFigures


class GameFilter(Struct, frozen=True):
    """Which games to list. Empty texts and None leave everything in; `player` is any name of a person."""

    player: str = ""
    variant: str = ""
    since: date | None = None
    until: date | None = None

    @property
    def has_only_player(self) -> bool:
        """Whether games are chosen by nothing but their players."""
        return not self.variant and self.since is None and self.until is None


class PastGames:
    """The games of the store as they are now, with the latest game of the journal. Methods raise sqlite3.Error.

    Players are persons: games have their names, whatever names they played under. A game that was left without a score,
    and the one that is on, are in no list. One thread, and only as long as `Archive.query` runs.
    """

    def __init__(self, database: sqlite3.Connection, people: People) -> None:
        self._database = database
        self._people = people

    @cached_property
    def _persons(self) -> dict[str, PersonTotals]:
        """Everybody who sat at a table, by key."""
        return {(found := person_of(row)).figures.name: found for row in self._database.execute(SELECT_PERSONS)}

    # Games.

    def number_of(self, chosen: GameFilter) -> int:
        """How many games a filter lists."""
        if chosen == GameFilter():
            return self._count("SELECT sum(games) FROM variant")
        if chosen.has_only_player:
            person = self._persons.get(self._people.key_of(chosen.player))
            return person.listed if person else 0
        source, values = self._listed_by(chosen)
        return self._count(f"SELECT count(*) {source}", *values)

    def games(self, chosen: GameFilter, limit: int, offset: int = 0) -> tuple[PastGame, ...]:
        """Games that a filter lists, the latest first."""
        source, values = self._listed_by(chosen)
        return self._games(f"{source} ORDER BY game DESC LIMIT ? OFFSET ?", *values, limit, offset)

    def _listed_by(self, chosen: GameFilter) -> tuple[str, tuple[object, ...]]:
        tables = "game"
        conditions = dict[str, object]()
        if chosen.player:
            tables = "place CROSS JOIN game USING (game)"  # in this order: the games of the person alone are read
            person = self._persons.get(self._people.key_of(chosen.player))
            conditions["person = ?"] = person.person if person else 0
        if chosen.variant:
            conditions["variant = ?"] = chosen.variant
        if chosen.since:
            conditions["day >= ?"] = chosen.since.isoformat()
        if chosen.until:
            conditions["day <= ?"] = chosen.until.isoformat()
        return f"FROM {tables} WHERE {' AND '.join(('is_listed', *conditions))}", tuple(conditions.values())

    def game(self, number: int) -> PastGame | None:
        """The listed game with this number."""
        if number > self.last_game:  # it may be larger than a number of SQLite
            return None
        return next(iter(self._games("FROM game WHERE is_listed AND game = ?", number)), None)

    def finished_games(self, limit: int) -> tuple[PastGame, ...]:
        """The latest finished games."""
        return self._games("FROM game WHERE is_listed AND is_won ORDER BY game DESC LIMIT ?", limit)

    def games_between(self, sides: tuple[Names, Names], limit: int) -> tuple[PastGame, ...]:
        """The latest games of two sides, given by the keys of their players; finished or not."""
        source = "FROM meeting CROSS JOIN meeting_game USING (meeting) CROSS JOIN game USING (game) WHERE sides = ?"
        return self._games(f"{source} ORDER BY game DESC LIMIT ?", text_of(sides), limit)

    def games_with_hands(self, person: Person, limit: int) -> tuple[tuple[PastGame, float], ...]:
        """The latest games in which hands of a person were counted, each with their average."""
        source = "FROM place CROSS JOIN game USING (game) WHERE person = ? AND hands > 0 AND is_listed"
        found = self._games(f"{source} ORDER BY game DESC LIMIT ?", self._stored(person.key).person, limit)
        counted = ((past, self._hand_mean(past, person)) for past in found)
        return tuple((past, mean) for past, mean in counted if mean is not None)

    def _hand_mean(self, past: PastGame, person: Person) -> float | None:
        """Of the first seat of the person in which a hand was counted."""
        seats = zip(past.summary.names, past.figures.seats, strict=True)
        return next((seat.hand.mean for name, seat in seats if name == person.name and seat.hand.times), None)

    @property
    def last_game(self) -> int:
        """The highest number of a game; 0 without one."""
        return self._count("SELECT max(game) FROM game")

    def all_games(self, numbers: range) -> tuple[PastGame, ...]:
        """Games with these numbers but demonstrations, the latest first, listed or not, with the names that they were
        played under."""
        source = "FROM game WHERE game >= ? AND game < ? ORDER BY game DESC"
        found = stored_games(self._database, source, numbers.start, numbers.stop)
        return tuple(past for past, _ in found if not past.figures.is_demo)

    def _games(self, source: str, *values: object) -> tuple[PastGame, ...]:
        found = stored_games(self._database, source, *values)
        return tuple(past.with_names(tuple(self._name_of(name) for name in past.summary.names)) for past, _ in found)

    def _name_of(self, name: str) -> str:
        return self._stored(self._people.key_of(name)).shown

    def _stored(self, key: str) -> PersonTotals:
        if key not in self._persons:
            raise DamagedFigures(f"expected totals of {key}, got none")
        return self._persons[key]

    # Totals.

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of listed games, sorted."""
        return tuple(name for (name,) in self._database.execute("SELECT name FROM variant ORDER BY name"))

    def players(self) -> tuple[PlayerFigures, ...]:
        """All players of listed games, sorted by number of finished games, then by name."""
        found = (replace(each.figures, name=each.shown) for each in self._persons.values() if each.listed)
        return tuple(sorted(found, key=lambda player: (-player.games, player.name)))

    def player(self, person: Person) -> PlayerFigures | None:
        """The totals of one person; None without a listed game."""
        found = self._persons.get(person.key)
        return replace(found.figures, name=found.shown) if found and found.listed else None

    def accuracy(self, person: Person) -> Accuracy:
        """How well a person chose in all reviewed games."""
        return accuracy_of(self._database, self._stored(person.key).person)

    def head_to_heads(self, of: Person | None = None) -> tuple[HeadToHead, ...]:
        """Pairs of sides of which one beat the other, or those of one person; most games first, then by name."""
        found = [meeting_of(row)[1] for row in self._database.execute(SELECT_MEETINGS)]
        found = [pair for pair in found if pair.games and (of is None or any(of.key in side for side in pair.sides))]
        return tuple(map(self._with_names, sorted(found, key=lambda pair: (-pair.games, pair.sides))))

    def head_to_head(self, sides: tuple[Names, Names]) -> HeadToHead | None:
        """The totals of two sides, given by the keys of their players; None if none of them beat the other."""
        row = self._database.execute(f"{SELECT_MEETINGS} WHERE sides = ?", (text_of(sides),)).fetchone()
        pair = meeting_of(row)[1] if row else None
        return self._with_names(pair) if pair and pair.games else None

    def _with_names(self, pair: HeadToHead) -> HeadToHead:
        one, other = (tuple(self._stored(key).shown for key in side) for side in pair.sides)
        return replace(pair, sides=(one, other))

    def sides_of(self, one: Iterable[str], other: Iterable[str]) -> tuple[Names, Names]:
        """The keys of two sides, in the order of `HeadToHead`, from any names of their players."""
        first, second = sorted(tuple(sorted(map(self._people.key_of, names))) for names in (one, other))
        return first, second

    # Persons.

    @cached_property
    def persons(self) -> PersonIndex:
        """Everybody who has played, in the game that is on too."""
        return PersonIndex(map(self._person, self._persons), self._people, self._game_together)

    def _person(self, key: str) -> Person:
        names = self._people.names_of(self._stored(key).shown)
        return Person(key, names[0], names)

    def _game_together(self, one: Person, two: Person) -> int | None:
        numbers = tuple(self._stored(person.key).person for person in (one, two))
        together = "SELECT min(game) FROM place a JOIN place b USING (game) WHERE a.person = ? AND b.person = ?"
        found: int | None = self._database.execute(together, numbers).fetchone()[0]
        return found

    # Scorecards.

    def persons_with_cards(self) -> tuple[Person, ...]:
        """Everybody with a finished game that counts, sorted by name."""
        found = {person for (person,) in self._database.execute("SELECT DISTINCT person FROM last_card")}
        return tuple(each for each in self.persons.persons if self._persons[each.key].person in found)

    def number_of_cards(self, person: Person) -> int:
        """How many cards a person has."""
        return self._count("SELECT max(number) FROM card WHERE person = ?", self._stored(person.key).person)

    def cards_of(self, person: Person, limit: int, offset: int = 0) -> tuple[Scorecard, ...]:
        """The cards of a person, the latest first."""
        where = "WHERE person = ? AND number <= ? ORDER BY number DESC LIMIT ?"
        last = self.number_of_cards(person) - offset
        return tuple(self._cards(where, self._stored(person.key).person, last, limit))

    def all_cards(self, person: Person | None = None, limit: int = -1, offset: int = 0) -> tuple[Scorecard, ...]:
        """All cards, or those of one person, the earliest first. A negative limit is none."""
        if person is None:
            return tuple(self._cards("ORDER BY card LIMIT ? OFFSET ?", limit, offset))
        where = "WHERE person = ? ORDER BY number LIMIT ? OFFSET ?"
        return tuple(self._cards(where, self._stored(person.key).person, limit, offset))

    def latest_cards(self) -> tuple[Scorecard, ...]:
        """The last card of each person and kind of game, sorted by person."""
        latest = self._cards("WHERE card IN (SELECT card FROM last_card)")
        return tuple(sorted(latest, key=lambda card: (card.person.key, card.number)))

    def _cards(self, where: str, *values: object) -> Iterator[Scorecard]:
        cards = f"SELECT card, key FROM card JOIN person USING (person) {where}"
        for number, key in self._database.execute(cards, values).fetchall():
            yield self._card(number, self._person(key))

    def _card(self, number: int, person: Person) -> Scorecard:
        lines = "FROM card_line CROSS JOIN game USING (game) WHERE card = ? ORDER BY line"
        places = [self._place(past, person) for past, _ in stored_games(self._database, lines, number)]
        if not places:
            raise DamagedFigures(f"expected the games of card {number}, got none")
        numbered = tuple(place.line(line) for line, place in enumerate(places, 1))
        return Scorecard(number, person, kind_of(places[0].game.rules), numbered)

    def _place(self, past: PastGame, person: Person) -> Place:
        for place in places_in(past.summary, lambda name: self._person(self._people.key_of(name))):
            if place.person == person:
                return place
        raise DamagedFigures(f"expected {person.name} in game {past.summary.game}, got {past.summary.names}")

    def _count(self, question: str, *values: object) -> int:
        return self._database.execute(question, values).fetchone()[0] or 0
