"""Small JSON documents beside the journal, such as the merged names: each in a file of its own, and in every backup.

A document is a Struct, `{"format": 1, ..}`. Its file is read at each use and replaced atomically, so that the command
line can change it while a board is running, and a power cut loses nothing that was written.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Struct

from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.errors import HostError
from firmware_host.storage.atomic_file import make_folder, replace_file
from firmware_host.storage.backup import NewerBackup, UnusableBackup, documents_in
from firmware_host.storage.checked_file import (
    Damaged,
    NewerFormat,
    aside_path,
    prepare_file,
    read_checked,
    sealed,
    write_checked,
)
from firmware_host.storage.plain_file import read_file
from firmware_host.validation.typed import FieldError, decode

log = logging.getLogger(__name__)

FORMAT = 1
MAX_EVIDENCE = 200
"""The most characters of a document that an error quotes."""

Content = TypeVar("Content")


class DocumentError(HostError):
    """A document cannot be read or written, or holds something else than it should."""


class NewerDocument(DocumentError, NewerFormat):
    """A newer program wrote the document."""


class Document(Struct, frozen=True):
    """The field that all documents have, of whatever format they are."""

    format: int


class DocumentFile(ABC, Generic[Content]):
    """One document in its file; without a path, in memory only. Any thread and process may use it."""

    NAME: ClassVar[str]
    """The name of the file, and of the document in a backup, such as "people.json"."""
    DOCUMENT: ClassVar[type[Document]]
    """The type of the document."""
    EXPECTED: ClassVar[str]
    """What the content is, with an example, for errors."""
    FIX: ClassVar[str]
    """What to do about a file that holds something else, for errors."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = Lock()
        self._in_memory = self.empty()

    @staticmethod
    @abstractmethod
    def empty() -> Content:
        """The content where there is no file."""

    @staticmethod
    @abstractmethod
    def decoded(document: Any) -> Content:
        """The content of a DOCUMENT. Raises Refusal or ValueError if it is none that `encoded` returns."""

    @staticmethod
    @abstractmethod
    def encoded(content: Content) -> Document:
        """The content as a DOCUMENT."""

    def read(self) -> Content:
        """The content of the file; the empty one if there is no file. Raises DocumentError."""
        return self.read_file(self._path) if self._path else self._in_memory

    def replace(self, change: Callable[[Content], Content]) -> Content:
        """Replace the content by what `change` makes of it, and return that.

        Raises DocumentError, or what `change` raises; then the file is unchanged.
        """
        with self._only_writer():
            after = change(self.read())
            self._write(after)
        return after

    def restore(self, content: Content) -> Path | None:
        """Replace the content by that of a backup. Raises DocumentError.

        Other content that was here is kept in a file beside it, whose path is returned.
        """
        with self._only_writer():
            aside = self._keep_old(content)
            self._write(content)
        return aside

    def text(self) -> str:
        """The text of the document, for a backup. Raises DocumentError."""
        return self.text_of(self.read())

    @classmethod
    def text_of(cls, content: Content) -> str:
        """The text of a document, which `parse` reads."""
        return msgspec.json.encode(cls.encoded(content)).decode()

    @classmethod
    def parse(cls, text: str, where: str) -> Content:
        """The content of the document with this text. Raises DocumentError."""
        try:
            version = decode(text, Document).format
            if version > FORMAT:
                raise NewerDocument(f"format {FORMAT} at most", f"format {version}", where, "update cribboard")
            if version != FORMAT:
                raise cls._error(f"format {version}", where)
            content = cls.decoded(decode(text, cls.DOCUMENT))
            cls.text_of(content)
        except json.JSONDecodeError as error:
            raise cls._error(error.msg, f"{where}, line {error.lineno}, column {error.colno}") from error
        except FieldError as error:
            raise cls._error(str(error), where) from error
        except (Refusal, ValueError, RecursionError) as error:
            raise cls._error(f"{type(error).__name__}: {error}", where) from error
        return content

    @classmethod
    def read_file(cls, path: Path) -> Content:
        """The content of a file; the empty one if there is no file. Raises DocumentError."""
        try:
            return read_checked(path, partial(cls.parse, where=str(path)))
        except FileNotFoundError:
            return cls.empty()
        except OSError as error:
            fix = "correct its permissions"
            raise DocumentError("a file that can be read", error.strerror or str(error), str(path), fix) from error
        except UnicodeDecodeError as error:
            raise cls._error(f"bytes that are not UTF-8, at {error.start}", str(path)) from error
        except Damaged as error:
            raise cls._error(str(error), str(path)) from error

    @classmethod
    def prepare(cls, path: Path) -> None:
        """Prepare the file at the start of a program: see `prepare_file`. What stays wrong, `read` raises."""
        with suppress(NewerFormat, PermissionError):
            prepare_file(path, partial(cls.parse, where=str(path)))

    @classmethod
    def in_backup(cls, backup: Path) -> Content | None:
        """The content in a backup; None if it was made without. Raises UnusableBackup."""
        text = documents_in(backup).get(cls.NAME)
        try:
            return None if text is None else cls.parse(text, f"{backup}, {cls.NAME}")
        except NewerDocument as fault:
            raise NewerBackup(fault.expected, fault.got, fault.where, fault.fix) from fault
        except DocumentError as fault:
            raise UnusableBackup(fault.expected, fault.got, fault.where, "name another copy") from fault

    @classmethod
    def _error(cls, got: str, where: str) -> DocumentError:
        return DocumentError(cls.EXPECTED, got[:MAX_EVIDENCE], where, cls.FIX)

    def _keep_old(self, new: Content) -> Path | None:
        try:
            old = read_file(self._path) if self._path else b""
        except FileNotFoundError:
            return None
        if self._path is None or old == sealed(self._path, self.text_of(new).encode()):
            return None
        aside = aside_path(self._path)
        replace_file(aside, old)
        return aside

    def _write(self, content: Content) -> None:
        if self._path:
            write_checked(self._path, self.text_of(content).encode())
        self._in_memory = content

    @contextmanager
    def _only_writer(self) -> Iterator[None]:
        """Waits until no other thread or process changes the file: the folder is locked, since the file is replaced.

        Raises DocumentError if the folder or the file cannot be written.
        """
        with self._lock, ExitStack() as held:
            try:
                if self._path:
                    held.enter_context(_locked_folder(self._path.parent))
                yield
            except OSError as error:
                fix = "free some disk space, or correct the permissions"
                got = error.strerror or str(error)
                raise DocumentError("a file that can be written", got, str(self._path), fix) from error


def texts_of(*files: DocumentFile[Any]) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """The texts of documents for a backup, and the names of those that cannot be read: they must not keep people from
    saving their games."""
    texts = dict[str, str]()
    unreadable = list[str]()
    for file in files:
        try:
            texts[file.NAME] = file.text()
        except DocumentError as damage:
            log.error("left out of the backup: %s", damage)
            unreadable.append(file.NAME)
    return texts, tuple(unreadable)


@contextmanager
def _locked_folder(folder: Path) -> Iterator[None]:
    """Waits until no other process holds the lock on the folder. Makes a missing folder. Raises OSError."""
    make_folder(folder)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)  # gives the lock back, as the end of the process would
