"""Reading a plan file: every fact has a type, a place, and a message for the maker who mistyped it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence

LARGEST = 1e300
"""A whole number beyond what floats can hold is no number of a plan; nor is infinity."""
MOST = 1_000_000
"""No board has more of anything."""


class PlanError(ValueError):
    """A plan file does not say what a plan must say. `where` is the path of keys to the fault."""

    def __init__(self, where: str, expected: str, got: object) -> None:
        super().__init__(f"{where}: expected {expected}, got {got}")
        self.where, self.expected, self.got = where, expected, got


class Facts:
    """One table of a plan file. Each reading takes its fact out, so that `finish` can tell what nobody asked for."""

    def __init__(self, table: Mapping[str, object], where: str = "") -> None:
        self._unread, self._where = dict(table), where

    @classmethod
    def of_text(cls, text: str) -> Facts:
        """The top table of a TOML text. Raises PlanError."""
        try:
            return cls(tomllib.loads(text))
        except (ValueError, RecursionError) as fault:
            raise PlanError("plan file", "TOML", str(fault)) from fault

    def path(self, key: str) -> str:
        """The full name of a fact of this table, as a message shows it."""
        return f"{self._where}.{key}" if self._where else key

    @property
    def keys(self) -> tuple[str, ...]:
        """Facts not yet read, in the order of the file."""
        return tuple(self._unread)

    def text(self, key: str) -> str:
        """A text with something in it."""
        found = self._take(key, "a text")
        if isinstance(found, str) and found.strip():
            return found
        raise PlanError(self.path(key), "a text", _shown(found))

    def word(self, key: str, pattern: str) -> str:
        """A text of exactly this form (a regular expression)."""
        found = self.text(key)
        if re.fullmatch(pattern, found):
            return found
        raise PlanError(self.path(key), f"the form {pattern}", _shown(found))

    def whole(self, key: str) -> int:
        """A whole number from 1."""
        return self._counted(key, self._take(key, "a whole number from 1"))

    def number(self, key: str, default: float | None = None) -> float:
        """Any finite number."""
        found = self._unread.pop(key, default) if default is not None else self._take(key, "a number")
        if isinstance(found, int | float) and not isinstance(found, bool) and abs(found) <= LARGEST:
            return float(found)
        raise PlanError(self.path(key), "a number", _shown(found))

    def length(self, key: str) -> float:
        """Millimetres, more than none."""
        found = self.number(key)
        if found > 0:
            return found
        raise PlanError(self.path(key), "millimetres above 0", found)

    def flag(self, key: str) -> bool:
        """True or false; false when the file is silent."""
        found = self._unread.pop(key, False)
        if isinstance(found, bool):
            return found
        raise PlanError(self.path(key), "true or false", _shown(found))

    def choice(self, key: str, choices: Sequence[str]) -> str:
        """One of the given words."""
        found = self._take(key, expected := " or ".join(f'"{word}"' for word in choices))
        if isinstance(found, str) and found in choices:
            return found
        raise PlanError(self.path(key), expected, _shown(found))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        found = self._list(key, "a list of texts")
        if all(isinstance(item, str) for item in found):
            return tuple(map(str, found))
        raise PlanError(self.path(key), "a list of texts", _shown(found))

    def wholes(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers from 1."""
        return tuple(self._counted(key, item) for item in self._list(key, "a list of whole numbers"))

    def table(self, key: str) -> Facts:
        """A table inside this one."""
        found = self._take(key, "a table")
        if isinstance(found, dict):
            return Facts(found, self.path(key))
        raise PlanError(self.path(key), "a table", _shown(found))

    def tables(self, key: str) -> tuple[Facts, ...]:
        """A list of tables."""
        found = self._list(key, "a list of tables")
        tables = [item for item in found if isinstance(item, dict)]
        if len(tables) == len(found):
            return tuple(Facts(table, f"{self.path(key)}[{place}]") for place, table in enumerate(tables))
        raise PlanError(self.path(key), "a list of tables", _shown(found))

    def finish(self) -> None:
        """Everything has been read. Raises PlanError for a fact that no plan has: most often a slip of the pen."""
        if self._unread:
            raise PlanError(self._where or "plan file", "nothing more", ", ".join(map(repr, self._unread)))

    def _take(self, key: str, expected: str) -> object:
        if key not in self._unread:
            raise PlanError(self.path(key), expected, "nothing")
        return self._unread.pop(key)

    def _list(self, key: str, expected: str) -> list[object]:
        found = self._take(key, expected)
        if isinstance(found, list) and found:
            return found
        raise PlanError(self.path(key), expected, _shown(found))

    def _counted(self, key: str, found: object) -> int:
        if isinstance(found, int) and not isinstance(found, bool) and 1 <= found <= MOST:
            return found
        raise PlanError(self.path(key), "a whole number from 1", _shown(found))


def _shown(found: object) -> str:
    try:
        return repr(found)
    except ValueError:  # Python writes no more digits than 4300
        return "a number of thousands of digits"
