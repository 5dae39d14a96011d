"""People: which names of past games belong to one person.

A game stores names, not people. Two rules turn names into people:

1. Names that differ only in case, in spaces or in the way Unicode writes a letter are one name: "Ann", "ANN", " ann ".
2. Names that somebody merged are one person: "Annie" and "Ann".

The merges are kept in a file (people_file.py). Games are never changed, so every merge can be undone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from firmware_host.cribbage.names import name_key, tidy_name
from firmware_host.cribbage.rule_errors import Refusal, quoted
from firmware_host.storage.game_summary import GameSummary


class UnknownPerson(Refusal, LookupError):
    """No past game has this name."""

    kind = "unknown_person"
    sentence = "No past game has the name {name}."


class AlreadyOnePerson(Refusal):
    """The two names belong to one person already."""

    kind = "already_one_person"
    sentence = "{name} and {other} are already one person."


class PlayedTogether(Refusal):
    """The two names have played in the same game, so they are two people."""

    kind = "played_together"
    sentence = "{name} and {other} have played in the same game, so they are two people."


class NotMerged(Refusal):
    """The name is not merged with another one."""

    kind = "not_merged"
    sentence = "{name} is not merged with another name."


class People(Struct, frozen=True):
    """The merged names. `groups` has one entry for each person with two names or more; the first name is shown.

    Raises ValueError for a group of less than two names, an empty name, and a name that is there twice.
    """

    groups: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        keys = [name_key(name) for group in self.groups for name in group]
        if any(len(group) < 2 for group in self.groups):
            raise ValueError("expected two names or more for each person, got fewer")
        if not all(keys):
            raise ValueError("expected names with visible characters, got an empty name")
        if twice := [key for key, times in Counter(keys).items() if times > 1]:
            raise ValueError(f"expected each name once, got {quoted(twice[0])} twice")

    def names_of(self, name: str) -> tuple[str, ...]:
        """All names of the person with this name, the shown one first; only `name` if it is not merged."""
        key = name_key(name)
        return next((group for group in self.groups if key in map(name_key, group)), (tidy_name(name),))

    def key_of(self, name: str) -> str:
        """The key of the person with this name. Two names have the same key if and only if they are one person."""
        return name_key(self.names_of(name)[0])

    def merge(self, kept: str, other: str) -> People:
        """Make one person of two, who is shown as the first one was. Raises AlreadyOnePerson."""
        one = self.names_of(kept)
        two = self.names_of(other)
        if self.key_of(kept) == self.key_of(other):
            got = f"two names of {one[0]}"
            raise AlreadyOnePerson("two people", got, name=tidy_name(kept), other=tidy_name(other))
        others = (group for group in self.groups if group not in (one, two))
        return People((*others, one + two))

    def unmerge(self, name: str) -> People:
        """Make the name a person of its own again. Raises NotMerged."""
        group = self.names_of(name)
        if group not in self.groups:
            raise NotMerged("a merged name", quoted(name), fix=f"merged are: {self._in_words}", name=tidy_name(name))
        left = tuple(each for each in group if name_key(each) != name_key(name))
        others = tuple(each for each in self.groups if each is not group)
        return People((*others, left) if len(left) > 1 else others)

    @property
    def _in_words(self) -> str:
        return "; ".join(" = ".join(group) for group in self.groups) or "none"


class Person(Struct, frozen=True):
    """A person who has played. `name` is the name that is shown; `names` has all names, the shown one first."""

    key: str
    name: str
    names: tuple[str, ...]


class PersonIndex:
    """Finds persons by any of their names, and merges names. Demonstrations are left out.

    A person with several spellings of one name is shown as in the latest game; a merged person as `People` has it.
    """

    def __init__(
        self, persons: Iterable[Person], people: People, game_together: Callable[[Person, Person], int | None]
    ) -> None:
        """`game_together`: the number of a game in which both sat at the table, None if there is none."""
        self.people = people
        self._game_together = game_together
        self._persons: Mapping[str, Person] = {person.key: person for person in persons}

    @property
    def persons(self) -> tuple[Person, ...]:
        """Sorted by name."""
        return tuple(sorted(self._persons.values(), key=lambda person: person.key))

    def person(self, name: str) -> Person:
        """The person with this name. Raises UnknownPerson."""
        person = self._persons.get(self.people.key_of(name))
        if person:
            return person
        from difflib import get_close_matches  # only for a mistyped name

        known = {name_key(each): each for person in self.persons for each in person.names}
        close = [known[key] for key in get_close_matches(name_key(name), known)]
        fix = f"did you mean {' or '.join(close)}?" if close else f"known are: {', '.join(known.values()) or 'none'}"
        raise UnknownPerson("a name of a past game", quoted(name), fix=fix, name=tidy_name(name))

    def merge(self, kept: str, other: str) -> People:
        """The people after these two became one, shown by the name of the first.

        Raises UnknownPerson, AlreadyOnePerson, or PlayedTogether if both sat at the table in one game.
        """
        one = self.person(kept)
        two = self.person(other)
        merged = self.people.merge(kept, other)
        if (game := self._game_together(one, two)) is not None:
            got = f"both names in game {game}"
            raise PlayedTogether("names that never played together", got, name=one.name, other=two.name)
        return merged

    def unmerge(self, name: str) -> People:
        """The people after this name became a person of its own. Raises NotMerged."""
        return self.people.unmerge(name)


UNMERGED = People()
"""No names are merged."""


class Roster(PersonIndex):
    """Everybody who has played these games, and the games."""

    def __init__(self, games: Iterable[GameSummary], people: People = UNMERGED) -> None:
        self.games = tuple(sorted((game for game in games if not game.is_demo), key=lambda game: game.game))
        """In the order in which they were played."""
        found = {people.key_of(name): person_named(name, people) for game in self.games for name in game.names}
        super().__init__(found.values(), people, self._first_together)

    def _first_together(self, one: Person, two: Person) -> int | None:
        together = {one.key, two.key}
        return next((game.game for game in self.games if together <= set(map(self.people.key_of, game.names))), None)


def person_named(name: str, people: People) -> Person:
    """The person with this name, which is shown unless it is merged with another one."""
    names = people.names_of(name)
    return Person(name_key(names[0]), names[0], names)
