"""Downloads that grow with the number of games: made and sent piece by piece, and few at once."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from http import HTTPStatus
from itertools import chain, count
from threading import Lock
from typing import Any, TypeVar

from flask import Response, json, request

from firmware_host.stats.archive import Archive, PastGames
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.journal import JournalError
from web_panel.errors import Problem
from web_panel.security.permissions import current_visitor

Part = TypeVar("Part")
Row = dict[str, object]

GAMES_AT_ONCE = 100
"""Games read from the store for one piece. The store is locked meanwhile."""
OF_ONE_ADDRESS = 1
OF_STRANGERS = 1
OF_KNOWN = 3
"""Downloads that are sent at the same time. Each occupies a thread of the server until it was read."""


class Downloads:
    """The downloads that are being sent, counted by address. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._of = Counter[str]()

    def send(self, pieces: Iterator[str] | Iterator[bytes], mimetype: str, name: str) -> Response:
        """A response that sends the pieces. The first one is made now, so that its errors have a status.

        Raises Problem (429) while as many others are sent as are allowed.
        """
        address = request.remote_addr or ""
        kind = "known" if current_visitor().is_known else "strangers"
        self._begin(address, kind)
        try:
            first = next(pieces, "")
        except BaseException:
            self._end(address, kind)
            raise
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        content: Any = chain((first,), pieces)
        response = Response(content, mimetype=mimetype, headers=headers)
        response.call_on_close(lambda: self._end(address, kind))
        return response

    def _begin(self, address: str, kind: str) -> None:
        most = OF_KNOWN if kind == "known" else OF_STRANGERS
        with self._lock:
            if self._of[f"address {address}"] >= OF_ONE_ADDRESS or self._of[kind] >= most:
                detail = "expected one download at a time, got another one while a download is sent; wait for its end"
                raise Problem(HTTPStatus.TOO_MANY_REQUESTS, detail)
            self._of.update((f"address {address}", kind))

    def _end(self, address: str, kind: str) -> None:
        with self._lock:
            self._of.subtract((f"address {address}", kind))
            self._of = +self._of  # forget addresses without a download


class Batches:
    """Asks the store for a part of the games at a time. Pages may read, and games be played, in between.

    `hides_latest`: the latest game is on, and in no list.
    """

    def __init__(self, archive: Archive, people_file: PeopleFile, *, hides_latest: bool = False) -> None:
        self._archive = archive
        self._people_file = people_file
        self._hides_latest = hides_latest
        self._people = people_file.read()
        self._replacements = archive.replacements

    def _ask(self, question: Callable[[PastGames], Part]) -> Part:
        """What `question` finds. Raises JournalError, also where games or merged names were replaced meanwhile."""
        if self._people_file.read() != self._people or self._archive.replacements != self._replacements:
            got = "others"
            fix = "download the file again"
            raise JournalError("the same games and merged names until all were sent", got, "download", fix)
        return self._archive.query(question, self._people, hides_latest=self._hides_latest)

    def once(self, items: Callable[[PastGames], Iterable[Part]]) -> Iterator[list[Part]]:
        """One batch, of things that are few however many games there are."""
        yield self._ask(lambda past: list(items(past)))

    def games(self, items: Callable[[PastGames, range], Iterable[Part]]) -> Iterator[list[Part]]:
        """What `items` has for the latest games, by their numbers, then for those before them."""
        last = self._ask(lambda past: past.last_game)
        for stop in range(last + 1, 1, -GAMES_AT_ONCE):
            numbers = range(max(1, stop - GAMES_AT_ONCE), stop)
            yield self._ask(_listed(items, numbers))

    def pages(self, items: Callable[[PastGames, int, int], Iterable[Part]], size: int) -> Iterator[list[Part]]:
        """What `items` has for a limit and an offset, until it has nothing."""
        for offset in count(0, size):
            found = self._ask(_listed(items, size, offset))
            if not found:
                return
            yield found


def _listed(items: Callable[..., Iterable[Part]], *values: object) -> Callable[[PastGames], list[Part]]:
    return lambda past: list(items(past, *values))


def json_pieces(lists: Iterable[tuple[str, Iterable[Sequence[object]]]]) -> Iterator[str]:
    """A JSON object of lists, each given by its name and batches of its items; one item a line."""
    text = "{"
    for name, batches in lists:
        text += f"\n{json.dumps(name)}: ["
        separator = "\n"
        for batch in batches:
            if batch:
                yield text + separator + ",\n".join(json.dumps(item, ensure_ascii=False) for item in batch)
                text = ""
                separator = ",\n"
        text += "],"
    yield text.removesuffix(",") + "\n}\n"


def csv_pieces(columns: Sequence[str], batches: Iterable[Iterable[Row]]) -> Iterator[str]:
    """A heading, and one row for each item of the batches."""
    heading: Iterable[Row] = (dict(zip(columns, columns, strict=True)),)
    for batch in batches:
        yield _csv_text(columns, chain(heading, batch))
        heading = ()
    yield _csv_text(columns, heading)


def _csv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns)
    writer.writerows({name: without_formula(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def without_formula(value: object) -> object:
    """The value, quoted if a spreadsheet would run it as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@")) else value
