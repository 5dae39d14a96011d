"""The phones that were let in: who each belongs to, what it may do, and which seat it holds.

A phone proves itself with a token. Only the token's hash is kept, so whoever reads the file cannot play for anybody.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from hashlib import sha256
from pathlib import Path
from threading import Lock

from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.durable import replace_durably
from firmware_host.faults import HostFault

FORMAT = 1
NOT_A_BOOK = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What a text that is no record of phones may raise."""
TOKEN_BYTES = 32
"""Nobody guesses 256 random bits, so their hash needs no salt and no slowness."""


class Role(IntEnum):
    """What a visitor may do. Each may also do what those before it may."""

    STRANGER = 0
    """Nothing but to knock."""
    VIEWER = 1
    PLAYER = 2
    """Tells cards and takes turns; may hold a seat."""
    KEEPER = 3
    """Corrects scores."""
    OWNER = 4
    """Says who else may do what."""


@dataclass(frozen=True, slots=True)
class Phone:
    """`id` is public; `token_hash` is what proves the phone's token."""

    id: str
    name: str
    role: Role
    token_hash: str
    seat: Seat | None = None


class NoSuchPhone(Refusal, LookupError):
    """The phone was never let in, or was sent away."""

    kind = "no_such_phone"
    sentence = "That phone was sent away already"


class SeatTaken(Refusal):
    """Another phone holds the seat."""

    kind = "seat_taken"
    sentence = "{name} has this seat: choose another"


class PhoneBookFault(HostFault):
    """The record of phones cannot be read or written."""


class PhoneBook:
    """All phones, in a file that is whole at every moment; without a path, in memory. Any thread may ask and change.

    Changes raise PhoneBookFault, and then nothing has changed.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock = path, Lock()
        self.phones: tuple[Phone, ...] = read_phones(path) if path else ()
        self.changes = 0
        """How often a phone came, went, or was changed."""

    def holder_of(self, token: str) -> Phone | None:
        """The phone that a token belongs to."""
        hashed = hash_of(token)
        return next((phone for phone in self.phones if secrets.compare_digest(phone.token_hash, hashed)), None)

    def admit(self, name: str) -> tuple[Phone, str]:
        """A new phone, and its token, which is told nowhere else. Where there is no owner yet, it becomes the owner."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._lock:
            has_owner = any(phone.role is Role.OWNER for phone in self.phones)
            role = Role.PLAYER if has_owner else Role.OWNER
            phone = Phone(secrets.token_hex(4), name, role, hash_of(token))
            self._keep((*self.phones, phone))
        return phone, token

    def remove(self, phone_id: str) -> None:
        """Its token opens nothing from now on. Raises NoSuchPhone."""
        with self._lock:
            gone = self.find(phone_id)
            self._keep(tuple(phone for phone in self.phones if phone is not gone))

    def entrust(self, phone_id: str, role: Role) -> Phone:
        """Let a phone do more, or less. Raises NoSuchPhone."""
        return self._change(phone_id, lambda phone: replace(phone, role=role))

    def sit(self, phone_id: str, seat: Seat | None) -> Phone:
        """Let a phone hold a seat, or none. Raises NoSuchPhone or SeatTaken."""

        def seated(phone: Phone) -> Phone:
            for other in self.phones:
                if seat is not None and other.seat == seat and other is not phone:
                    raise SeatTaken("a free seat", f"the seat of {other.name}", mend="choose another", name=other.name)
            return replace(phone, seat=seat)

        return self._change(phone_id, seated)

    def _change(self, phone_id: str, change: Callable[[Phone], Phone]) -> Phone:
        with self._lock:
            before = self.find(phone_id)
            after = change(before)
            self._keep(tuple(after if phone is before else phone for phone in self.phones))
        return after

    def find(self, phone_id: str) -> Phone:
        """Raises NoSuchPhone."""
        for phone in self.phones:
            if phone.id == phone_id:
                return phone
        raise NoSuchPhone("a phone that was let in", phone_id, mend="look at the list again")

    def _keep(self, phones: tuple[Phone, ...]) -> None:
        """Durable first, believed after."""
        if self._path:
            write_phones(self._path, phones)
        self.phones = phones
        self.changes += 1


def hash_of(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def read_phones(path: Path) -> tuple[Phone, ...]:
    """The phones of a file; none where there is no file yet. Raises PhoneBookFault."""
    try:
        return phones_in(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        return ()
    except (OSError, *NOT_A_BOOK) as fault:
        mend = "move the file away; every phone then asks to be let in again"
        raise PhoneBookFault("a record of phones", f"{type(fault).__name__}: {fault}", str(path), mend) from fault


def phones_in(text: str, where: str) -> tuple[Phone, ...]:
    """Raises NOT_A_BOOK, and PhoneBookFault for a format that is yet to come."""
    told = json.loads(text)
    if told["format"] > FORMAT:
        raise PhoneBookFault(f"format {FORMAT} at most", str(told["format"]), where, "update cribboard")
    return tuple(phone_of(**fields) for fields in told["phones"])


def phone_of(id: str, name: str, role: str, token_hash: str, seat: int | None) -> Phone:
    """Raises ValueError for words that are none."""
    if not all(isinstance(word, str) and word.isascii() for word in (id, token_hash)) or not isinstance(name, str):
        raise ValueError("expected id, name and token_hash to be texts")
    return Phone(id, name, Role[role.upper()], token_hash, None if seat is None else Seat(seat))


def write_phones(path: Path, phones: tuple[Phone, ...]) -> None:
    """Replace the file in one step, for its owner's eyes alone: a power cut leaves the old one or the new one."""
    fields = [
        {"id": p.id, "name": p.name, "role": p.role.name.lower(), "token_hash": p.token_hash, "seat": p.seat}
        for p in phones
    ]
    text = json.dumps({"format": FORMAT, "phones": fields}, ensure_ascii=False, indent=1)
    try:
        replace_durably(path, text.encode(), mode=0o600)
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise PhoneBookFault("a file that can be written", got, str(path), "make room, or mend its rights") from fault
