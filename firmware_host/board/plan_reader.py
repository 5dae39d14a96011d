"""Reads plan files: tables of TOML in which every field has a type, a path, and an error message for its author."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Self

from firmware_host.validation.fields import Choice, FieldFault, Fields, Integer, ListOf, Table, Text, anything

LARGEST_COUNT = 1_000_000
"""No board has more of anything."""


class PlanError(ValueError):
    """A plan file cannot be used. `where` is the path of keys to the first fault, such as `rows.oak.holes`."""

    def __init__(self, where: str, expected: str, got: object) -> None:
        super().__init__(f"{where}: expected {expected}, got {got}")
        self.where = where
        self.expected = expected
        self.got = got


class PlanReader(Fields):
    """One table of a plan file. Raises PlanError. Counts start at 1, texts and lists must not be empty."""

    TEXT = Text(1)
    TEXTS = ListOf(Text(), "a list of texts", shortest=1)
    INTEGER = Integer(1, LARGEST_COUNT, "a whole number from 1")
    TABLE = Table("a table")
    TABLES = ListOf(TABLE, "a list of tables", shortest=1)

    @classmethod
    def of_text(cls, text: str) -> Self:
        """The top table of a TOML text. Raises PlanError."""
        try:
            return cls(tomllib.loads(text), _plan_error)
        except (ValueError, RecursionError) as error:
            raise PlanError("plan file", "TOML", str(error)) from error

    def matching(self, key: str, pattern: str) -> str:
        """A text that matches this regular expression as a whole."""
        text = self.text(key)
        if re.fullmatch(pattern, text):
            return text
        raise PlanError(self.path(key), f"the form {pattern}", _shown(text))

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of integers. The error message shows the first bad item, not the whole list."""
        items = self.read(key, ListOf(anything, "a list of whole numbers", shortest=1))
        return tuple(PlanReader({key: item}, self._error, self._where).integer(key) for item in items)

    def length(self, key: str) -> float:
        """Millimetres, more than 0."""
        length_mm = self.number(key)
        if length_mm > 0:
            return length_mm
        raise PlanError(self.path(key), "millimetres above 0", length_mm)

    def choice(self, key: str, words: Sequence[str]) -> str:
        """One of these words; the error message quotes them as TOML needs them."""
        return self.read(key, Choice(tuple(words), " or ".join(f'"{word}"' for word in words)))


def _plan_error(fault: FieldFault) -> PlanError:
    return PlanError(fault.path or "plan file", fault.expected, fault.got(_shown))


def _shown(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python writes no integer of more than 4300 digits
        return "a number of thousands of digits"
