"""The registry of paired phones: name, role, seat and token hash of each, in one JSON file.

A phone proves itself with a token of 256 random bits. The file holds only SHA-256 hashes of the tokens, so reading it
does not let anybody act as a phone.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from firmware_host.cribbage.names import name_key
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import Seat
from firmware_host.errors import HostError
from firmware_host.storage.checked_file import NewerFormat, prepare_file, read_checked, write_checked
from firmware_host.validation.typed import decode, one_of

FORMAT = 1
PARSE_ERRORS = (ValueError, RecursionError)
"""What parse_phones may raise for a text that is not a registry."""
TOKEN_BYTES = 32
"""256 random bits cannot be guessed, so a fast hash without a salt is enough."""


class Role(IntEnum):
    """What a visitor may do, in rising order: each role includes the ones before it."""

    STRANGER = 0
    """May only request pairing."""
    VIEWER = 1
    """May watch."""
    PLAYER = 2
    """May enter cards and take turns, and may hold a seat."""
    KEEPER = 3
    """May correct scores."""
    OWNER = 4
    """May change settings, and the roles of phones."""


class Phone(Struct, frozen=True):
    """A paired phone. `id`: 8 hex digits, public; `token_hash`: SHA-256 of its token, in hex."""

    id: str
    name: str
    role: Role
    token_hash: str
    seat: Seat | None = None


Ascii = Annotated[str, Meta(pattern=r"^[\x00-\x7f]*$")]
RoleName = Annotated[str, one_of(role.name.lower() for role in Role)]


class PhoneRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A phone in the file."""

    id: Ascii
    name: str
    role: RoleName
    token_hash: Ascii
    seat: Seat | None


class FormatRecord(Struct, frozen=True):
    """The field that all registry files have, of whatever format they are."""

    format: int


class PhonesDocument(FormatRecord, frozen=True):
    """The file."""

    phones: tuple[PhoneRecord, ...]


class NoSuchPhone(Refusal, LookupError):
    """No paired phone has this id; it may have been removed."""

    kind = "no_such_phone"
    sentence = "That phone is already removed."


class SeatTaken(Refusal):
    """Another phone holds the seat."""

    kind = "seat_taken"
    sentence = "{name} has this seat. Choose another."


class LastOwner(Refusal):
    """Without this phone there would be no owner, and the next phone that is added would become one."""

    kind = "last_owner"
    sentence = "Make another phone an owner first."


class PhoneRegistryError(HostError):
    """The registry file cannot be read or written."""


class NewerPhones(PhoneRegistryError, NewerFormat):
    """A newer program wrote the registry file."""


class PhoneRegistry:
    """All paired phones, in memory and in a file that is replaced atomically; without a path, in memory only.

    Any thread may read and change it. A change that raises PhoneRegistryError leaves file and memory as they were.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Reads the file, if there is one. Raises PhoneRegistryError."""
        self._path = path
        self._lock = Lock()
        self.phones: tuple[Phone, ...] = read_phones(path) if path else ()
        self.lost_seats: dict[str, str] = {}
        """Phone id -> the player whose seat it held until a new game left that player out. Not kept over a restart."""
        self._seat_since = dict[str, int]()
        """Phone id -> the number of the latest turn when it took its seat. Not kept over a restart."""
        self._since = 0
        """The same for every other phone."""
        self.changes = 0
        """The number of changes since the start: a reader compares it to see whether `phones` is new."""

    def phone_with_token(self, token: str) -> Phone | None:
        """The phone that this token belongs to. Hashes are compared in constant time."""
        hashed = hash_token(token)
        return next((phone for phone in self.phones if secrets.compare_digest(phone.token_hash, hashed)), None)

    @property
    def has_owner(self) -> bool:
        """Whether some phone is an owner; otherwise the next phone that is added becomes one."""
        return any(phone.role is Role.OWNER for phone in self.phones)

    def add_phone(self, name: str) -> tuple[Phone, str]:
        """A new phone and its token, which is stored nowhere. It becomes OWNER if there is none yet, else PLAYER.

        Raises PhoneRegistryError.
        """
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._lock:
            role = Role.PLAYER if self.has_owner else Role.OWNER
            phone = Phone(secrets.token_hex(4), name, role, hash_token(token))
            self._store((*self.phones, phone))
        return phone, token

    def remove(self, phone_id: str) -> None:
        """Revoke the token of this phone. Raises NoSuchPhone or PhoneRegistryError."""
        with self._lock:
            removed = self.find(phone_id)
            self._store(tuple(phone for phone in self.phones if phone is not removed))

    def set_role(self, phone_id: str, role: Role) -> Phone:
        """The phone with its new role. Raises NoSuchPhone, LastOwner or PhoneRegistryError."""

        def with_role(phone: Phone) -> Phone:
            if role is not Role.OWNER:
                self.check_other_owner(phone)
            return replace(phone, role=role)

        return self._change(phone_id, with_role)

    def check_other_owner(self, phone: Phone | None) -> None:
        """Raises LastOwner if this phone is the only owner, and other phones are paired."""
        others = [other for other in self.phones if phone and other.id != phone.id]
        if phone and phone.role is Role.OWNER and others and all(other.role is not Role.OWNER for other in others):
            raise LastOwner("another owner", "none", fix="give another phone the role first")

    def seat_since(self, phone_id: str) -> int:
        """The number of the latest turn when the phone took its seat: the cards of earlier turns are not its own."""
        return self._seat_since.get(phone_id, self._since)

    def begin_seats(self, turn: int) -> None:
        """Every phone holds its seat since this turn: the start, or another game than before."""
        self._since = turn
        self._seat_since = {}

    def set_seat(self, phone_id: str, seat: Seat | None, turn: int = 0) -> Phone:
        """The phone with its new seat, or with none. `turn`: the number of the latest turn. Raises NoSuchPhone,
        SeatTaken or PhoneRegistryError."""

        def with_seat(phone: Phone) -> Phone:
            for other in self.phones:
                if seat is not None and other.seat == seat and other is not phone:
                    raise SeatTaken("a free seat", f"the seat of {other.name}", fix="choose another", name=other.name)
            return replace(phone, seat=seat)

        had_it = self.find(phone_id).seat == seat
        changed = self._change(phone_id, with_seat)
        if not had_it:
            self._seat_since[phone_id] = turn
        self.lost_seats.pop(phone_id, None)
        return changed

    def shows_hands(self, seats: int, dealt_by: str) -> tuple[str, ...]:
        """By seat, the id of the phone that shows a hand dealt now: whoever holds the seat, else `dealt_by`."""
        holders = {phone.seat: phone.id for phone in self.phones}
        return tuple(holders.get(Seat(seat), dealt_by) for seat in range(seats))

    def move_to_game(self, before: Sequence[str], names: Sequence[str]) -> None:
        """Give each phone the seat of the same player in another game, or none. `before` and `names` are the players
        of the two games by seat, whose names are compared by `name_key`.

        Raises PhoneRegistryError if the file cannot be written; the seats in memory are moved all the same, so that no
        phone sees the cards of another player.
        """
        with self._lock:
            left = list(map(name_key, names))
            phones = list[Phone]()
            lost = dict[str, str]()
            for phone in self.phones:
                player = before[phone.seat] if phone.seat is not None and phone.seat < len(before) else ""
                seat = seat_of_player(player, phone.seat, left)
                if seat is not None:
                    left[seat] = ""
                elif phone.seat is not None:
                    lost[phone.id] = player or phone.name
                phones.append(replace(phone, seat=seat))
            self.lost_seats = {id: player for id, player in self.lost_seats.items() if id not in lost} | lost
            if tuple(phones) != self.phones:
                self.phones = tuple(phones)
                self._store(self.phones)

    def save(self) -> None:
        """Write the file again, after its folder was deleted. Raises PhoneRegistryError."""
        with self._lock:
            if self._path:
                write_phones(self._path, self.phones)

    def _change(self, phone_id: str, change: Callable[[Phone], Phone]) -> Phone:
        with self._lock:
            before = self.find(phone_id)
            after = change(before)
            self._store(tuple(after if phone is before else phone for phone in self.phones))
        return after

    def find(self, phone_id: str) -> Phone:
        """The phone with this id. Raises NoSuchPhone."""
        for phone in self.phones:
            if phone.id == phone_id:
                return phone
        raise NoSuchPhone("a paired phone", phone_id, fix="reload the list of phones")

    def _store(self, phones: tuple[Phone, ...]) -> None:
        """The file first: memory changes only if the file could be written."""
        if self._path:
            write_phones(self._path, phones)
        self.phones = phones
        self.changes += 1


def seat_of_player(player: str, seat: Seat | None, left: Sequence[str]) -> Seat | None:
    """The seat of this player among the names that are `left`, None if there is none; of two such seats, `seat`."""
    name = name_key(player)
    if not name or name not in left:
        return None
    return seat if seat is not None and seat < len(left) and left[seat] == name else Seat(left.index(name))


def hash_token(token: str) -> str:
    """SHA-256 in hex. Any text is accepted, even lone surrogates from a malformed cookie."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def read_phones(path: Path) -> tuple[Phone, ...]:
    """The phones in a registry file; none if there is no file. Raises PhoneRegistryError."""
    try:
        return read_checked(path, partial(parse_phones, where=str(path)))
    except FileNotFoundError:
        return ()
    except (OSError, *PARSE_ERRORS) as error:
        fix = "move the file away; every phone must then be paired again"
        raise PhoneRegistryError("a registry of phones", f"{type(error).__name__}: {error}", str(path), fix) from error


def prepare_phones(path: Path) -> None:
    """Prepare the registry file at the start of a board: see `checked_file.prepare_file`. Raises PhoneRegistryError."""
    try:
        prepare_file(path, partial(parse_phones, where=str(path)))
    except PermissionError as error:
        raise PhoneRegistryError("a file that can be read", str(error), str(path), "correct its permissions") from error


def parse_phones(text: str, where: str) -> tuple[Phone, ...]:
    """The phones in the text of a registry file. Raises PARSE_ERRORS, and PhoneRegistryError for a newer format."""
    version = decode(text, FormatRecord).format
    if version > FORMAT:
        raise NewerPhones(f"format {FORMAT} at most", str(version), where, "update cribboard")
    return tuple(
        Phone(each.id, each.name, Role[each.role.upper()], each.token_hash, each.seat)
        for each in decode(text, PhonesDocument).phones
    )


def write_phones(path: Path, phones: tuple[Phone, ...]) -> None:
    """Replace the file atomically; only its owner may read it. Raises PhoneRegistryError."""
    records = tuple(PhoneRecord(p.id, p.name, p.role.name.lower(), p.token_hash, p.seat) for p in phones)
    content = msgspec.json.format(msgspec.json.encode(PhonesDocument(FORMAT, records)), indent=1)
    try:
        write_checked(path, content)
    except OSError as error:
        fix = "free some disk space, or correct the permissions"
        got = error.strerror or str(error)
        raise PhoneRegistryError("a file that can be written", got, str(path), fix) from error
