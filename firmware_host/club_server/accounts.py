"""The accounts of those who run a club night: `club-accounts.json`, with a name, a role and a hash for each.

Passwords are kept as Argon2id hashes: 19 MiB and 2 passes, the least that OWASP names, so that a Pi can check one in a
fraction of a second. One password is hashed at a time, so that many logins at once take no more memory than one. The
file is read for each check: an account that is removed or changed on the command line counts at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Struct

from firmware_host.cribbage.names import is_name, name_key, tidy_name
from firmware_host.errors import HostError
from firmware_host.optional_packages import Option, install_command
from firmware_host.storage.atomic_file import make_folder
from firmware_host.storage.checked_file import NewerFormat, prepare_file, read_checked, write_checked
from firmware_host.validation.typed import decode, one_of

if TYPE_CHECKING:
    from argon2 import PasswordHasher

FIRST_NAME = "organiser"
"""Of the first account."""
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 200
LONGEST_NAME = 40
MEMORY_KIB = 19 * 1024
PASSES = 2
LANES = 1


class AccountsError(HostError):
    """The accounts cannot be read, written or checked."""


class BadAccountName(AccountsError):
    """The name cannot be that of an account."""


class UnknownAccount(AccountsError):
    """No account has this name."""


class LastOrganiser(AccountsError):
    """Nobody could do everything any more."""


class AccountRole(IntEnum):
    """What an account may do; a higher role may do all that a lower one may."""

    SCOREKEEPER = 1
    """Enters and confirms results."""
    ORGANISER = 2
    """Everything."""


class Account(Struct, frozen=True):
    """One account. `hash` is the Argon2id hash of the password, in the usual text form."""

    name: str
    role: AccountRole
    hash: str


class AccountRecord(Struct, frozen=True):
    """An account in the file."""

    name: str
    role: Annotated[str, one_of(role.name.lower() for role in AccountRole)]
    hash: str


class AccountsDocument(Struct, frozen=True):
    """The file."""

    accounts: tuple[AccountRecord, ...]


class Accounts:
    """The accounts in a file. Every method may be called from any thread, and raises AccountsError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._unknown = ""
        """The hash that is compared for unknown names: they take as long as known ones."""

    def prepare(self) -> None:
        """Prepare the file at the start of a club night: see `prepare_file`. What stays wrong, `all` raises."""
        with suppress(NewerFormat, PermissionError):
            prepare_file(self._path, parse_accounts)

    def all(self) -> Mapping[str, Account]:
        """Key of the name -> account."""
        try:
            accounts = read_checked(self._path, parse_accounts)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as fault:
            fix = "correct its rights, or delete it and add the accounts again"
            raise AccountsError("the accounts of the club", str(fault), str(self._path), fix) from fault
        return {name_key(account.name): account for account in accounts}

    def set(self, name: str, role: AccountRole | None, password: str) -> None:
        """Add an account, or give the one of this name another role and password. Without a role an account keeps the
        one it has, and a new one is a scorekeeper's, or an organiser's while there is none."""
        name = tidy_name(name)
        if not is_name(name, LONGEST_NAME):
            raise BadAccountName(f"1 to {LONGEST_NAME} letters", repr(name), "name", "choose another name")
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            expected = f"{SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters"
            raise AccountsError(expected, str(len(password)), "password", "choose another password")
        with self._lock:
            accounts = self.all()
            known = accounts.get(name_key(name))
            of_new = AccountRole.SCOREKEEPER if self._has_organiser() else AccountRole.ORGANISER
            role = role or (known.role if known else of_new)
            self._write({**accounts, name_key(name): Account(name, role, _hasher().hash(password))})

    def first_password(self) -> str:
        """The password of the first account, which is made now; empty if there is an organiser already."""
        if self._has_organiser():
            return ""
        return self.reset()

    def reset(self) -> str:
        """A new password of the first account, which is an organiser's again; the account is made if it is missing."""
        password = secrets.token_urlsafe(9)
        self.set(FIRST_NAME, AccountRole.ORGANISER, password)
        return password

    def remove(self, name: str) -> None:
        """Remove an account. Raises AccountsError for a name that has none, and for the last organiser."""
        with self._lock:
            accounts = dict(self.all())
            if accounts.pop(name_key(name), None) is None:
                raise UnknownAccount("the name of an account", repr(name), str(self._path), "see `account list`")
            self._write(accounts)

    def check(self, name: str, password: str) -> Account | None:
        """The account of this name if the password is right; None otherwise."""
        with self._lock:
            hasher = _hasher()
            from argon2.exceptions import Argon2Error, InvalidHash

            self._unknown = self._unknown or hasher.hash("nobody has this password")
            account = self.all().get(name_key(name))
            try:
                hasher.verify(account.hash if account else self._unknown, password[: LONGEST_PASSWORD + 1])
            except (Argon2Error, InvalidHash):
                return None
            return account

    def _has_organiser(self) -> bool:
        return any(each.role is AccountRole.ORGANISER for each in self.all().values())

    def _write(self, accounts: Mapping[str, Account]) -> None:
        if not any(each.role is AccountRole.ORGANISER for each in accounts.values()) and self._has_organiser():
            fix = "make another organiser first: `cribboard club account set NAME --role organiser`"
            raise LastOrganiser("an organiser among the accounts", "none would be left", str(self._path), fix)
        records = tuple(AccountRecord(each.name, each.role.name.lower(), each.hash) for each in accounts.values())
        try:
            make_folder(self._path.parent)
            write_checked(self._path, msgspec.json.format(msgspec.json.encode(AccountsDocument(records)), indent=1))
        except OSError as fault:
            got = fault.strerror or str(fault)
            fix = "free the disk, or correct the rights of the folder"
            raise AccountsError("a file that can be written", got, str(self._path), fix) from fault


def parse_accounts(text: str) -> list[Account]:
    """The accounts in the text of a file; those of earlier versions are a list. Raises ValueError or RecursionError."""
    document = f'{{"accounts": {text}}}' if text.lstrip().startswith("[") else text
    records = decode(document, AccountsDocument).accounts
    return [Account(record.name, AccountRole[record.role.upper()], record.hash) for record in records]


def _hasher() -> PasswordHasher:
    """Raises AccountsError where argon2-cffi is not installed."""
    try:
        from argon2 import PasswordHasher
    except ImportError as fault:
        fix = f"run: {install_command(Option.CLUB)}"
        raise AccountsError("the module argon2", "it is not installed", "accounts of the club", fix) from fault
    return PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES)
