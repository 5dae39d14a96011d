"""Reads plan files: tables of TOML in which every field has a type, a path, and an error message for its author.

The fields are taken out one by one, not decoded as one Struct: a plan has tables with names of its own (`[rows]`), the
kind of a fault decides its other fields, and an author wants to know the table of the first mistake.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from firmware_host.validation.typed import words_for

LARGEST_COUNT = 1_000_000
"""No board has more of anything."""
LARGEST_NUMBER = 1e300
"""Excludes infinity."""

Text = Annotated[str, Meta(pattern=r"\S")]
Texts = Annotated[tuple[str, ...], Meta(min_length=1, description="a list of texts")]
Count = Annotated[int, Meta(ge=1, le=LARGEST_COUNT, description="a whole number from 1")]
Counts = Annotated[tuple[Any, ...], Meta(min_length=1, description="a list of whole numbers")]
Number = Annotated[float, Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER, description="a number")]
Length = Annotated[float, Meta(gt=0, le=LARGEST_NUMBER, description="a number of millimetres above 0")]
Table = Annotated[dict[str, Any], Meta(description="a table")]
Tables = Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, description="a list of tables")]


class PlanError(ValueError):
    """A plan file cannot be used. `where` is the path of keys to the first fault, such as `rows.oak.holes`."""

    def __init__(self, where: str, expected: str, got: object) -> None:
        super().__init__(f"{where}: expected {expected}, got {got}")
        self.where = where
        self.expected = expected
        self.got = got


class PlanReader:
    """One table of a plan file, `where` in it. Counts start at 1, texts and lists must not be empty.

    Every method that takes a key removes that field, so that `finish` can report the fields that nobody read. Each
    raises PlanError for a field that is missing or of another type.
    """

    def __init__(self, table: Mapping[str, object], where: str = "") -> None:
        self._unread = dict(table)
        self._where = where

    @classmethod
    def of_text(cls, text: str) -> PlanReader:
        """The top table of a TOML text. Raises PlanError."""
        try:
            return cls(tomllib.loads(text))
        except (ValueError, RecursionError) as error:
            raise PlanError("plan file", "TOML", str(error)) from error

    def path(self, key: str) -> str:
        """The full name of a field of this table, as an error message shows it."""
        return f"{self._where}.{key}" if self._where else key

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that are not yet read, in their order."""
        return tuple(self._unread)

    def read(self, key: str, kind: Any, default: object = None) -> Any:
        """The field as a value of this type; `default` if it is absent."""
        value = self._unread.pop(key, default)
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            got = "nothing" if value is None else _shown(value)
            raise PlanError(self.path(key), words_for(kind), got) from error

    def text(self, key: str) -> str:
        """A text with something in it."""
        return str(self.read(key, Text))

    def matching(self, key: str, pattern: str) -> str:
        """A text that matches this regular expression as a whole."""
        text = self.text(key)
        if re.fullmatch(pattern, text):
            return text
        raise PlanError(self.path(key), f"the form {pattern}", _shown(text))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(self.read(key, Texts))

    def integer(self, key: str) -> int:
        """An integer."""
        return int(self.read(key, Count))

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of integers. The error message shows the first bad item, not the whole list."""
        return tuple(PlanReader({key: item}, self._where).integer(key) for item in self.read(key, Counts))

    def number(self, key: str, default: float | None = None) -> float:
        """Any finite number."""
        return float(self.read(key, Number, default))

    def length(self, key: str) -> float:
        """Millimetres, more than 0."""
        return float(self.read(key, Length))

    def flag(self, key: str, default: bool | None = None) -> bool:
        """True or false; 1 and "yes" are refused."""
        return bool(self.read(key, bool, default))

    def choice(self, key: str, words: Sequence[str], default: str | None = None) -> str:
        """One of these words; the error message quotes them as TOML needs them."""
        expected = " or ".join(f'"{word}"' for word in words)
        word = str(self.read(key, Annotated[str, Meta(description=expected)], default))
        if word in words:
            return word
        raise PlanError(self.path(key), expected, _shown(word))

    def table(self, key: str) -> PlanReader:
        """A reader of the table in this field."""
        return PlanReader(self.read(key, Table), self.path(key))

    def tables(self, key: str) -> tuple[PlanReader, ...]:
        """A reader for each table in this list."""
        path = self.path(key)
        return tuple(PlanReader(table, f"{path}[{place}]") for place, table in enumerate(self.read(key, Tables)))

    def finish(self) -> None:
        """Raises PlanError if a field was not read: most often its name is mistyped."""
        if self._unread:
            raise PlanError(self._where or "plan file", "nothing more", ", ".join(map(_shown, self._unread)))


def _shown(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes no integer of more than 4300 digits
        return "a number of thousands of digits"
