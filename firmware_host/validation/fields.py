"""Reads the fields of a mapping, each through a check, and reports what is wrong with a field and where it is.

Plan files (TOML), request bodies and JSON Lines all arrive as mappings in which somebody may have mistyped something.
`Fields` takes the fields out one by one. For a bad, missing or unknown field it raises what the caller's error factory
makes of a `FieldFault`: a PlanError, a Problem, a Refusal.

A check is any callable that returns its value in the proper type or raises Invalid. It must not accept None: null in
JSON means the same as an absent field. The settings use the checks without a reader, because each value of theirs may
come from another place.

    seat = fields.integer("seat")                        # the limits of this reader
    port = fields.read("port", Integer(1, 65535))        # limits of its own
    suit = fields.optional_enum("suit", Suit)            # None where the field is absent
    fields.finish()                                      # no other field is allowed
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, Generic, Self, TypeVar

from msgspec import Struct

T = TypeVar("T")
E = TypeVar("E", bound=Enum)
Check = Callable[[object], T]

LARGEST_NUMBER = 1e300
"""The limit of a number without limits of its own. Excludes infinity and integers that no float can hold."""
LARGEST_INTEGER = 2**53 - 1
"""The largest integer that every JSON parser reads exactly."""


class Invalid(ValueError):
    """A value that a check does not accept. The text says what was expected."""


class InvalidType(Invalid):
    """A value of another type than was expected."""


def are_integers(*values: object) -> bool:
    """Whether each value is an integer and none is true or false, which the class pattern `int()` accepts too."""
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)


def anything(value: object) -> Any:
    """Accepts every value, for the items of a list that the caller checks."""
    return value


class Flag(Struct, frozen=True):
    """Accepts true and false."""

    def __call__(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        raise InvalidType("true or false")


class Integer(Struct, frozen=True):
    """Accepts an integer from `low` to `high`. `expected` replaces the default wording."""

    low: int = 0
    high: int = LARGEST_INTEGER
    expected: str = ""

    def __call__(self, value: object) -> int:
        expected = self.expected or f"a whole number from {self.low} to {self.high}"
        if not isinstance(value, int) or isinstance(value, bool):
            raise InvalidType(expected)
        if not self.low <= value <= self.high:
            raise Invalid(expected)
        return value


class Number(Struct, frozen=True):
    """Accepts an integer or a finite float from `low` to `high`, and returns a float. No limits: any such number."""

    low: float = -LARGEST_NUMBER
    high: float = LARGEST_NUMBER

    def __call__(self, value: object) -> float:
        expected = f"a number from {self.low} to {self.high}" if self.high < LARGEST_NUMBER else "a number"
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise InvalidType(expected)
        if not self.low <= value <= self.high:
            raise Invalid(expected)
        return float(value)


class Text(Struct, frozen=True):
    """Accepts a text of at least `shortest` characters, not counting blanks at its ends.

    With `longest` it must also be printable: no control characters and no lone surrogates, which no screen, file or
    network protocol can carry.
    """

    shortest: int = 0
    longest: int | None = None

    def __call__(self, value: object) -> str:
        limits = f" of {self.shortest} to {self.longest} printable characters" if self.longest is not None else ""
        if not isinstance(value, str):
            raise InvalidType(f"a text{limits}")
        length = len(value.strip())
        is_short_enough = self.longest is None or (value.isprintable() and length <= self.longest)
        if length < self.shortest or not is_short_enough:
            raise Invalid(f"a text{limits}")
        return value


class Choice(Struct, Generic[T], frozen=True):
    """Accepts one of `words`, which may also be numbers. `expected` replaces the default wording."""

    words: tuple[T, ...]
    expected: str = ""

    def __call__(self, value: object) -> T:
        expected = self.expected or f"one of {', '.join(map(str, self.words))}"
        same_type = [word for word in self.words if type(word) is type(value)]
        if not same_type:
            raise InvalidType(expected)
        for word in same_type:
            if word == value:
                return word
        raise Invalid(expected)


class ListOf(Struct, Generic[T], frozen=True):
    """Accepts a list of `shortest` items or more, each of which passes the check `item`."""

    item: Check[T]
    expected: str
    shortest: int = 0

    def __call__(self, value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise InvalidType(self.expected)
        if len(value) < self.shortest:
            raise Invalid(self.expected)
        try:
            return tuple(map(self.item, value))
        except Invalid as invalid:
            raise type(invalid)(self.expected) from invalid


class Table(Struct, frozen=True):
    """Accepts an object of JSON or a table of TOML, whatever is in it."""

    expected: str = "an object"

    def __call__(self, value: object) -> Mapping[str, object]:
        if isinstance(value, dict):
            return value
        raise InvalidType(self.expected)


class FaultKind(Enum):
    """What is wrong with a field."""

    MISSING = auto()
    NULL = auto()
    TYPE = auto()
    VALUE = auto()
    UNKNOWN = auto()


class FieldFault(Struct, frozen=True):
    """A field that cannot be used, or fields that nobody asked for."""

    kind: FaultKind
    path: str
    """The keys that lead to the field, such as `tracks[1].name`; for unknown fields, to their table."""
    expected: str
    values: tuple[object, ...]
    """The value that was found; empty if the field is missing or null; the names of unknown fields."""

    def got(self, show: Callable[[object], str]) -> str:
        """What was found, each value or name as `show` writes it; `nothing` if there was none."""
        return ", ".join(map(show, self.values)) or "nothing"


ErrorFactory = Callable[[FieldFault], Exception]


class Fields:
    """The fields of one mapping. `where` is the path of the mapping in the whole document.

    Every method that takes a key removes that field, so that `finish` can report the fields that nobody read. An
    `optional_` method returns None for a field that is absent or null; any other reports it as missing, unless it is
    given a default. A subclass sets its limits by the class attributes.
    """

    TEXT: Text = Text()
    TEXTS: ListOf[str] = ListOf(TEXT, "a list of texts")
    INTEGER: Integer = Integer()
    INTEGERS: ListOf[int] = ListOf(INTEGER, "a list of whole numbers from 0")
    TABLE: Table = Table()
    TABLES: ListOf[Mapping[str, object]] = ListOf(TABLE, "a list of objects")

    def __init__(self, values: Mapping[str, object], error: ErrorFactory, where: str = "") -> None:
        self._unread = dict(values)
        self._error = error
        self._where = where

    def path(self, key: str) -> str:
        """The full name of a field of this mapping, as an error message shows it."""
        return f"{self._where}.{key}" if self._where else key

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that are not yet read, in their order."""
        return tuple(self._unread)

    def read(self, key: str, check: Check[T], default: T | None = None) -> T:
        """The field, checked; `default` if it is absent or null. Raises by the error factory."""
        absent = FaultKind.NULL if key in self._unread else FaultKind.MISSING
        value = self._unread.pop(key, None)
        if value is None and default is not None:
            return default
        try:
            return check(value)
        except Invalid as invalid:
            values = () if value is None else (value,)
            kind = FaultKind.TYPE if isinstance(invalid, InvalidType) else FaultKind.VALUE
            fault = FieldFault(absent if value is None else kind, self.path(key), str(invalid), values)
            raise self._error(fault) from invalid

    def read_optional(self, key: str, check: Check[T]) -> T | None:
        """The field, checked; None if it is absent or null. Raises by the error factory."""
        if self._unread.get(key) is not None:
            return self.read(key, check)
        self._unread.pop(key, None)
        return None

    def text(self, key: str, default: str | None = None) -> str:
        """A text within the limits of `TEXT`."""
        return self.read(key, self.TEXT, default)

    def optional_text(self, key: str) -> str | None:
        """A text within the limits of `TEXT`, or None."""
        return self.read_optional(key, self.TEXT)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list within the limits of `TEXTS`."""
        return self.read(key, self.TEXTS)

    def optional_texts(self, key: str) -> tuple[str, ...] | None:
        """A list within the limits of `TEXTS`, or None."""
        return self.read_optional(key, self.TEXTS)

    def integer(self, key: str) -> int:
        """An integer within the limits of `INTEGER`."""
        return self.read(key, self.INTEGER)

    def optional_integer(self, key: str) -> int | None:
        """An integer within the limits of `INTEGER`, or None."""
        return self.read_optional(key, self.INTEGER)

    def integers(self, key: str) -> tuple[int, ...]:
        """A list within the limits of `INTEGERS`."""
        return self.read(key, self.INTEGERS)

    def optional_integers(self, key: str) -> tuple[int, ...] | None:
        """A list within the limits of `INTEGERS`, or None."""
        return self.read_optional(key, self.INTEGERS)

    def number(self, key: str, default: float | None = None) -> float:
        """Any finite number."""
        return self.read(key, Number(), default)

    def flag(self, key: str, default: bool | None = None) -> bool:
        """True or false; 1 and "yes" are refused."""
        return self.read(key, Flag(), default)

    def choice(self, key: str, words: Sequence[str]) -> str:
        """One of these words, in the same case."""
        return self.read(key, Choice(tuple(words)))

    def enum(self, key: str, members: type[E]) -> E:
        """The member of an enumeration that has this value."""
        return members(self.read(key, _values(members)))

    def optional_enum(self, key: str, members: type[E]) -> E | None:
        """The member of an enumeration that has this value, or None."""
        value = self.read_optional(key, _values(members))
        return None if value is None else members(value)

    def items(self, key: str) -> tuple[Any, ...]:
        """A list, which may be empty, whose items the caller checks."""
        return self.read(key, ListOf(anything, "a list"))

    def mapping(self, key: str) -> Mapping[str, object]:
        """An object or table whose fields the caller checks; empty if it is absent or null."""
        return self.read(key, self.TABLE, {})

    def table(self, key: str) -> Self:
        """A reader of the table or object in this field."""
        return type(self)(self.read(key, self.TABLE), self._error, self.path(key))

    def tables(self, key: str) -> tuple[Self, ...]:
        """A reader for each table or object in this list."""
        tables = self.read(key, self.TABLES)
        path = self.path(key)
        return tuple(type(self)(table, self._error, f"{path}[{place}]") for place, table in enumerate(tables))

    def finish(self) -> None:
        """Raises by the error factory if a field was not read: most often its name is mistyped."""
        if self._unread:
            raise self._error(FieldFault(FaultKind.UNKNOWN, self._where, "nothing more", self.keys))


def _values(members: type[Enum]) -> Choice[object]:
    return Choice(tuple(member.value for member in members))
