"""The file of merged names, `people.json` in the state folder: `{"format": 1, "people": [["Ann", "Annie"], ..]}`.

Each list is one person; its first name is shown. The file is read at each use and replaced atomically, so that the
command line can change it while a board is running.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from firmware_host.errors import HostError
from firmware_host.stats.people import People
from firmware_host.storage.atomic_file import replace_file
from firmware_host.storage.backup import documents_in
from firmware_host.storage.folder_lock import locked_folder

FORMAT = 1
FILE_MODE = 0o644
DOCUMENT = "people.json"
"""The name of the file, and of the document in a backup."""


class PeopleFileError(HostError):
    """The file of merged names cannot be read or written, or does not hold merged names."""


class PeopleFile:
    """The merged names in their file; without a path, in memory only. Any thread and process may use it."""

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock, self._in_memory = path, Lock(), People()

    def read(self) -> People:
        """The merged names; none if there is no file. Raises PeopleFileError."""
        return read_people(self._path) if self._path else self._in_memory

    def change(self, change: Callable[[People], People]) -> People:
        """Replace the merged names by what `change` makes of them, and return that.

        Raises PeopleFileError, or what `change` raises; then the file is unchanged.
        """
        with self._only_writer():
            after = change(self.read())
            self._write(after)
        return after

    def text(self) -> str:
        """The content of the file, for a backup. Raises PeopleFileError."""
        return text_of(self.read())

    def restore(self, people: People) -> Path | None:
        """Replace the merged names by those of a backup. Raises PeopleFileError.

        Other names that were merged here are kept in a file beside it, whose path is returned.
        """
        with self._only_writer():
            aside = self._keep_old(people)
            self._write(people)
        return aside

    def _keep_old(self, people: People) -> Path | None:
        try:
            old = self._path.read_bytes() if self._path else b""
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unwritable(self._path, error) from error
        if self._path is None or old == text_of(people).encode():
            return None
        aside = self._path.with_name(f"{self._path.stem}.aside-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}{self._path.suffix}")
        _replace(aside, old)
        return aside

    def _write(self, people: People) -> None:
        if self._path:
            _replace(self._path, text_of(people).encode())
        self._in_memory = people

    @contextmanager
    def _only_writer(self) -> Iterator[None]:
        """Waits until no other thread or process changes the file: the folder is locked, since the file is replaced."""
        with self._lock:
            if self._path is None:
                yield
                return
            with ExitStack() as held:
                try:
                    held.enter_context(locked_folder(self._path.parent))
                except OSError as error:
                    raise _unwritable(self._path, error) from error
                yield


def read_people(path: Path) -> People:
    """The merged names in a file; none if there is no file. Raises PeopleFileError."""
    try:
        return parse_people(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        return People()
    except OSError as error:
        fix = "correct its permissions"
        raise PeopleFileError("a file that can be read", error.strerror or str(error), str(path), fix) from error
    except UnicodeDecodeError as error:
        raise _not_people(f"bytes that are not UTF-8, at {error.start}", str(path)) from error


def people_in_backup(backup: Path) -> People | None:
    """The merged names in a backup; None if it was made without them. Raises JournalError or PeopleFileError."""
    text = documents_in(backup).get(DOCUMENT)
    return None if text is None else parse_people(text, f"{backup}, {DOCUMENT}")


def parse_people(text: str, where: str) -> People:
    """The merged names in the text of a file. Raises PeopleFileError."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{where}, line {error.lineno}, column {error.colno}"
        raise _not_people(error.msg, place) from error
    except (ValueError, RecursionError) as error:
        raise _not_people(str(error), where) from error
    if not isinstance(document, dict) or not isinstance(document.get("people"), list):
        raise _not_people("another document", where)
    version = document.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise PeopleFileError(f"format {FORMAT} at most", f"format {version}", where, "update cribboard")
    if version != FORMAT:
        raise _not_people("no format number", where)
    for number, group in enumerate(document["people"], 1):
        if not isinstance(group, list) or not all(map(_is_text, group)):
            raise _not_people("something else than a list of names", f"{where}, person {number}")
    try:
        return People(tuple(map(tuple, document["people"])))
    except ValueError as error:
        raise _not_people(str(error), where) from error


def _is_text(value: object) -> bool:
    """Whether it is a text that can be written to a file: without lone surrogates."""
    return isinstance(value, str) and not any("\ud800" <= sign <= "\udfff" for sign in value)


def text_of(people: People) -> str:
    """The text of the file, which `parse_people` reads."""
    return json.dumps({"format": FORMAT, "people": people.groups}, ensure_ascii=False, indent=1)


def _not_people(got: str, where: str) -> PeopleFileError:
    expected = f'merged names, {{"format": {FORMAT}, "people": [["Ann", "Annie"], ..]}}'
    return PeopleFileError(expected, got, where, "correct the file, or move it away: then no names are merged")


def _replace(path: Path, content: bytes) -> None:
    try:
        replace_file(path, content, FILE_MODE)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path | None, error: OSError) -> PeopleFileError:
    fix = "free some disk space, or correct the permissions"
    return PeopleFileError("a file that can be written", error.strerror or str(error), str(path), fix)
