"""The JSON body of a request: every field has a type, and a message for whoever mistyped it."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import Enum
from typing import Generic, TypeGuard, TypeVar

from flask import json, request
from flask.typing import ResponseReturnValue

from web_panel.problems import malformed

Told = TypeVar("Told")
Word = TypeVar("Word", bound=Enum)

LARGEST_NUMBER = 9_999
LONGEST_TEXT = 60


class Body:
    """The fields of one object. Each reading takes its field out, so that `finish` can tell what nobody asked for.

    Everything raises Problem. A field that may be left out may also be null.
    """

    def __init__(self, fields: Mapping[str, object]) -> None:
        self._unread = dict(fields)

    @classmethod
    def of_text(cls, text: bytes) -> Body:
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as fault:
            raise malformed("a JSON object", f"something else ({fault})") from fault
        if not isinstance(fields, dict):
            raise malformed("a JSON object", type(fields).__name__)
        return cls(fields)

    def whole(self, field: str) -> int:
        """A whole number from 0."""
        if (found := self.whole_if_told(field)) is None:
            raise malformed("a whole number from 0", "nothing", field)
        return found

    def whole_if_told(self, field: str) -> int | None:
        found = self._unread.pop(field, None)
        if found is None or is_whole(found):
            return found
        raise malformed(f"a whole number from 0 to {LARGEST_NUMBER}", shown(found), field)

    def flag(self, field: str) -> bool:
        found = self._unread.pop(field, None)
        if isinstance(found, bool):
            return found
        raise malformed("true or false", shown(found), field)

    def text(self, field: str) -> str:
        """A printable text with something in it."""
        if (found := self.text_if_told(field)) is None:
            raise malformed("a text", "nothing", field)
        return found

    def text_if_told(self, field: str) -> str | None:
        found = self._unread.pop(field, None)
        if found is None or is_text(found):
            return found
        raise malformed(f"a text of 1 to {LONGEST_TEXT} printable characters", shown(found), field)

    def bytes(self, field: str, most: int) -> bytes:
        """So many bytes at most, and one at least, in base64."""
        found = self._unread.pop(field, None)
        with suppress(ValueError):
            told = b64decode(found, validate=True) if isinstance(found, str) else b""
            if 0 < len(told) <= most:
                return told
        raise malformed(f"1 to {most} bytes in base64", shown(found), field)

    def one_of(self, field: str, words: type[Word]) -> Word:
        """A member of `words` by its value."""
        if (found := self.one_of_if_told(field, words)) is None:
            raise malformed(f"one of {listed(words)}", "nothing", field)
        return found

    def one_of_if_told(self, field: str, words: type[Word]) -> Word | None:
        found = self._unread.pop(field, None)
        if found is None:
            return None
        word = next((word for word in words if word.value == found), None)
        if word is None:
            raise malformed(f"one of {listed(words)}", shown(found), field)
        return word

    def texts(self, field: str) -> tuple[str, ...]:
        if (found := self.texts_if_told(field)) is None:
            raise malformed("a list of texts", "nothing", field)
        return found

    def texts_if_told(self, field: str) -> tuple[str, ...] | None:
        found = self._unread.pop(field, None)
        if found is None:
            return None
        items = found if isinstance(found, list) else [found]
        texts = tuple(item for item in items if is_text(item))
        if isinstance(found, list) and len(texts) == len(items):
            return texts
        raise malformed("a list of printable texts", shown(found), field)

    def wholes_if_told(self, field: str) -> tuple[int, ...] | None:
        found = self._unread.pop(field, None)
        if found is None:
            return None
        items = found if isinstance(found, list) else [found]
        numbers = tuple(item for item in items if is_whole(item))
        if isinstance(found, list) and len(numbers) == len(items):
            return numbers
        raise malformed("a list of whole numbers from 0", shown(found), field)

    def table_if_told(self, field: str) -> Mapping[str, object]:
        """An object inside this one; empty where none is told."""
        found = self._unread.pop(field, None)
        if found is None or isinstance(found, dict):
            return found or {}
        raise malformed("an object", shown(found), field)

    def finish(self) -> None:
        """Everything has been read. Raises Problem for a field that the order does not have: most often a slip."""
        if self._unread:
            raise malformed("nothing more", ", ".join(map(shown, self._unread)))


class Taking(Generic[Told]):
    """A view that takes a body: `read` turns it into what the view is called with, and tells what it may hold."""

    def __init__(self, read: Callable[[Body], Told], view: Callable[..., ResponseReturnValue]) -> None:
        self.read, self._view = read, view
        self.__name__, self.__doc__ = view.__name__, view.__doc__

    def __call__(self, **path: str) -> ResponseReturnValue:
        body = Body.of_text(request.get_data())
        told = self.read(body)
        body.finish()
        return self._view(told, **path)


def takes(
    read: Callable[[Body], Told],
) -> Callable[[Callable[..., ResponseReturnValue]], Taking[Told]]:
    """For a view whose first argument is the body, read."""
    return lambda view: Taking(read, view)


def nothing(body: Body) -> None:
    """A body without fields."""


def is_whole(found: object) -> TypeGuard[int]:
    return isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= LARGEST_NUMBER


def is_text(found: object) -> TypeGuard[str]:
    """Printable is what every screen, file and wire can carry: no control characters, no half of a character."""
    return isinstance(found, str) and found.isprintable() and 0 < len(found.strip()) <= LONGEST_TEXT


def listed(words: type[Enum]) -> str:
    return ", ".join(str(word.value) for word in words)


def shown(found: object) -> str:
    """A value as a message quotes it: never long, always printable."""
    text = ascii(found)
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 3]}..."
