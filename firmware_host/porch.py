"""The porch: where a phone waits until somebody at the board lets it in.

The door opens only on the board. Its code is on the display for two minutes; whoever knows it may knock with a name;
a key on the board lets in; the token is made when the phone picks it up. Wrong codes close the door for a while.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from firmware_host.cribbage.refusals import Refusal
from firmware_host.phones import Phone, PhoneBook
from firmware_host.table.door import CloseDoor, Door, DoorWish, Guest, LetIn, OpenDoor, SendAway, TurnAway

CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so no words; no figures, so nothing to confuse. All of them fit the narrow alphabet of a QR code."""
CODE_LENGTH = 6
OPEN_S = 120.0
"""How long the code is good for, and how long a phone that was let in may take to pick up its token."""
WRONG_CODES = 5
LOCKED_S = 60.0
HUSH_S = 1.0
"""A key pressed so soon after a knock was meant for something else."""


class WrongCode(Refusal):
    """No door is open to this code."""

    kind = "wrong_code"
    sentence = "These are not the letters on the display. Read them again: there are six."


class DoorClosed(WrongCode):
    """No door is open at all: the two minutes are over, or nobody opened it yet."""

    kind = "door_closed"
    sentence = "The door is closed: its letters are good for two minutes. Open it again: hold FN, Phones, Let one in."


class DoorLocked(Refusal):
    """Too many wrong codes. `retry_s` is how long the lock still holds."""

    kind = "door_locked"
    sentence = "Too many wrong letters: the door stays locked for {seconds} s"

    def __init__(self, retry_s: float) -> None:
        self.retry_s = int(retry_s) + 1
        mend = f"wait {self.retry_s} s"
        super().__init__(f"{WRONG_CODES} wrong codes at most", "more", mend=mend, seconds=self.retry_s)


class OneAtATime(Refusal):
    """Another phone is waiting to be let in."""

    kind = "one_at_a_time"
    sentence = "Another phone is waiting at the door. Try again in a moment."


class NotLetIn(Refusal):
    """Nobody let this phone in, or it was let in too long ago."""

    kind = "not_let_in"
    sentence = "Nobody at the board answered within two minutes. Open the door there, and knock again."


class TurnedAway(NotLetIn):
    """Somebody at the board said no."""

    kind = "turned_away"
    sentence = "Somebody at the board said no. Ask at the table, then knock again."


@dataclass
class Knock:
    """A phone at the door. `secret` is how it is known again at pick-up."""

    name: str
    secret: str
    at_s: float
    is_let_in: bool = False


class Porch:
    """One door, open or not. The host's thread sees to it, and any thread may knock; `clock` tells seconds."""

    def __init__(self, book: PhoneBook, clock: Callable[[], float], new_code: Callable[[], str] | None = None) -> None:
        self.book, self._clock, self._new_code = book, clock, new_code or random_code
        self._lock = Lock()
        self._code, self._closes_s = "", 0.0
        self._wrong, self._locked_until_s = 0, 0.0
        self._knock: Knock | None = None
        self._turned_away = ""

    # The board's side.

    def do(self, wish: DoorWish) -> None:
        """Raises DoorLocked, NoSuchPhone or PhoneBookFault."""
        match wish:
            case OpenDoor():
                self._open()
            case CloseDoor():
                self._code = ""
            case LetIn():
                self._answer(is_let_in=True)
            case TurnAway():
                self._answer(is_let_in=False)
            case SendAway(phone=phone):
                self.book.remove(phone)

    def door(self) -> Door:
        """The door as it is now."""
        with self._lock:
            self._let_time_pass()
            waiting = self._knock.name if self._knock and not self._knock.is_let_in else ""
            code = self._code
        changes, phones = self.book.changes, self.book.phones
        return Door(code, waiting, tuple(Guest(phone.id, phone.name, phone.seat) for phone in phones), changes)

    @property
    def is_hushed(self) -> bool:
        """Somebody knocked just now: a key that is pressed yet was not meant as the answer."""
        knock = self._knock
        return knock is not None and not knock.is_let_in and self._clock() - knock.at_s < HUSH_S

    def _open(self) -> None:
        with self._lock:
            self._check_lock()
            self._code, self._wrong = self._new_code(), 0
            self._closes_s = self._clock() + OPEN_S

    def _answer(self, *, is_let_in: bool) -> None:
        with self._lock:
            if self._knock and not self._knock.is_let_in:
                self._knock.is_let_in, self._knock.at_s = is_let_in, self._clock()
                if not is_let_in:
                    self._turned_away, self._knock = self._knock.secret, None

    # The phone's side.

    def knock(self, name: str, code: str) -> str:
        """Ask to be let in; the answer is the secret for pick-up. Raises WrongCode, DoorLocked or OneAtATime."""
        with self._lock:
            self._let_time_pass()
            self._check_lock()
            self._check_code(code)
            if self._knock:
                raise OneAtATime("one phone at a time", f"another, while {self._knock.name} waits", mend="try again")
            self._knock = Knock(name, secrets.token_urlsafe(), self._clock())
            return self._knock.secret

    def pick_up(self, secret: str) -> tuple[Phone, str] | None:
        """The phone and its token, once; None while nobody has answered.

        Raises TurnedAway, NotLetIn or PhoneBookFault.
        """
        with self._lock:
            self._let_time_pass()
            knock = self._knock
            if self._turned_away and is_same(self._turned_away, secret):
                raise TurnedAway("to be let in at the board", "turned away", mend="ask at the table")
            if knock is None or not is_same(knock.secret, secret):
                raise NotLetIn("to be let in at the board", "no", mend="knock again")
            if not knock.is_let_in:
                return None
            admitted = self.book.admit(knock.name)
            self._knock = None
            return admitted

    def walk_away(self, secret: str) -> None:
        """Whoever knocked waits no more. A phone that does not wait may say so too."""
        with self._lock:
            if self._knock and is_same(self._knock.secret, secret):
                self._knock = None

    def _check_lock(self) -> None:
        if (left_s := self._locked_until_s - self._clock()) > 0:
            raise DoorLocked(left_s)

    def _check_code(self, code: str) -> None:
        """A closed door has no code to be guessed; an open one takes a few mistakes, then closes and stays closed."""
        if not self._code:
            raise DoorClosed("the door to be open", "closed", mend="open it on the board: hold FN, Phones")
        if is_same(self._code, code.upper().replace(" ", "")):
            return
        self._wrong += 1
        if self._wrong >= WRONG_CODES:
            self._code, self._locked_until_s = "", self._clock() + LOCKED_S
        raise WrongCode("the code on the display", "another", mend="read it again")

    def _let_time_pass(self) -> None:
        now_s = self._clock()
        if now_s >= self._closes_s:
            self._code = ""
        if self._knock and now_s >= self._knock.at_s + OPEN_S:
            self._knock = None


def is_same(secret: str, told: str) -> bool:
    """In the same time whether or not."""
    return secrets.compare_digest(secret.encode(), told.encode())


def random_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
