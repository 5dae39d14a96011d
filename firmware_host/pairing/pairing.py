"""Pairing: how a phone on the network gets a token for this board.

A person at the board starts it, the phone sends the code from the display, and a person at the board confirms:

1. Hold FN, then Phones, at the board: a new code is shown for OPEN_S seconds (`OpenPairing`).
2. The phone sends a name and the code (`request_pairing`) and gets a secret in return.
3. Phone and display show the same number of two digits. ENTER accepts the phone, UNDO rejects it (`AcceptPhone`,
   `RejectPhone`).
4. The phone, which polls with its secret, collects its token once (`collect_token`). The token is created only then.

The state has two parts. The code:

| state  | a phone that sends a code gets                           | next state                                |
|--------|----------------------------------------------------------|-------------------------------------------|
| closed | PairingClosed                                            | open: OpenPairing, always                 |
| open   | a secret, or WrongCode; PairingLocked: its address       | closed: ClosePairing, or OPEN_S over;     |
|        | sent WRONG_CODES; PairingBusy: MOST_REQUESTS wait        | open with another code: OpenPairing       |

And the requests, which are shown at the board one after the other, the oldest first. They outlive the code:

| state     | a phone that polls with its secret gets | next state                                                   |
|-----------|-----------------------------------------|--------------------------------------------------------------|
| none      | NotPaired                               | requested: the right code, while open                        |
| requested | None: keep polling                      | accepted: AcceptPhone; none: RejectPhone, cancel, OPEN_S     |
| accepted  | the phone and its token                 | none: the token is collected, cancel, or OPEN_S over         |

The last phone that was rejected gets PairingRejected instead of NotPaired.

The threats, and what answers them:

- Somebody on the network who cannot see the board guesses the code. There are 20 ** 6 codes, each opening draws a
  new one, and an address that sends WRONG_CODES wrong ones waits for LOCKED_S: 10 chances in 64 million for each
  address and each time that a person opens pairing. Whoever guesses right must still be accepted at the board.
- Somebody guesses, or asks to be added, so that others cannot: only the guessing address is locked, a person at the
  board can always open pairing, and others may request it while a phone waits. A rejection counts as a wrong code.
- Somebody who can see the display sends the right code. A person at the board still has to accept the phone by its name
  and by a number of two digits that only this phone shows: of two phones named Ann the right one is accepted.
- A name looks like that of somebody else: see names.py.
- A second phone waits for the acceptance of the first. Only the secret from step 2 collects the token.
- A request arrives just as somebody presses ENTER for the game. Keys are ignored for IGNORE_KEYS_S after the display
  begins to show it.
- The answers leak the code by their timing. Codes and secrets are compared in constant time.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Container
from threading import Lock

from msgspec import Struct

from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.pairing.names import check_name
from firmware_host.pairing.registry import Phone, PhoneRegistry
from firmware_host.ui.pairing_prompt import (
    AcceptPhone,
    ClosePairing,
    OpenPairing,
    PairedPhone,
    PairingCommand,
    PairingState,
    RejectPhone,
    RemovePhone,
)

CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no code is a word, and no digits to mistake for letters. All are in the QR alphanumeric set."""
CODE_LENGTH = 6
OPEN_S = 120.0
"""How long a code is valid, how long a request waits for an answer, and an accepted phone may take to get its token."""
WRONG_CODES = 5
LOCKED_S = 60.0
MOST_REQUESTS = 4
"""Phones that may wait for an answer at the same time, of one address each."""
MOST_ADDRESSES = 1000
"""Addresses whose wrong codes are remembered, the latest."""
IGNORE_KEYS_S = 1.0
"""For how long after a request the keypad is ignored: such a key was meant for the game."""


class WrongCode(Refusal):
    """The code is not the one on the display."""

    kind = "wrong_code"
    sentence = "Wrong code. Check the six letters."


class PairingClosed(WrongCode):
    """There is no code: pairing was not opened, or its time is over."""

    kind = "door_closed"
    sentence = "The code has expired. Start again at step 1."


class PairingLocked(Refusal):
    """This address sent too many wrong codes, or was rejected. `retry_s`: whole seconds until it may try again."""

    kind = "door_locked"
    sentence = "Too many wrong codes. Wait {seconds} s."

    def __init__(self, retry_s: float) -> None:
        self.retry_s = int(retry_s) + 1
        fix = f"wait {self.retry_s} s"
        super().__init__(f"{WRONG_CODES} wrong codes at most", "more", fix=fix, seconds=self.retry_s)


class PairingBusy(Refusal):
    """MOST_REQUESTS phones wait for an answer."""

    kind = "one_at_a_time"
    sentence = "Another phone is being added. Try again in a moment."


class NotPaired(Refusal):
    """This secret has no request: it was never made, was cancelled, was collected, or has expired."""

    kind = "not_let_in"
    sentence = "Nobody pressed ENTER. Start again at step 1."


class PairingRejected(NotPaired):
    """Somebody at the board rejected the phone."""

    kind = "turned_away"
    sentence = "Refused at the board. Ask the players."


class PairingRequest(Struct):
    """The request of one phone. `since_s`: when it was made, shown at the board, or accepted, whichever was last."""

    name: str
    number: str
    """Two digits, which the phone and the display show."""
    secret: str
    sender: str
    """The address of the phone."""
    since_s: float
    is_accepted: bool = False


class Guesses(Struct):
    """The wrong codes of one address, and its requests that were rejected."""

    wrong_codes: int = 0
    locked_until_s: float = 0.0


class Pairing:
    """The state machine of the module docstring. Any thread may call it; only the host thread calls `do`.

    `clock` returns monotonic seconds; `new_code` returns a fresh code (tests replace it).
    """

    def __init__(
        self, registry: PhoneRegistry, clock: Callable[[], float], new_code: Callable[[], str] | None = None
    ) -> None:
        self.registry = registry
        self._clock = clock
        self._new_code = new_code or random_code
        self._lock = Lock()
        self._code = ""
        self._closes_s = 0.0
        self._guesses = dict[str, Guesses]()
        self._requests = list[PairingRequest]()
        self._rejected_secret = ""

    # Called by the host.

    def do(self, command: PairingCommand) -> None:
        """Carry out a command from the board. Raises NoSuchPhone or PhoneRegistryError."""
        match command:
            case OpenPairing():
                with self._lock:
                    self._code = self._new_code()
                    self._closes_s = self._clock() + OPEN_S
            case ClosePairing():
                self._code = ""
            case AcceptPhone():
                self._answer_request(is_accepted=True)
            case RejectPhone():
                self._answer_request(is_accepted=False)
            case RemovePhone(phone=phone):
                self.registry.remove(phone)

    def pairing_state(self) -> PairingState:
        """What the display, the keypad and the page need to know of pairing, as of now."""
        with self._lock:
            self._expire()
            asked = self._asked()
            code = self._code
        changes = self.registry.changes
        phones = self.registry.phones
        return PairingState(
            code,
            asked.name if asked else "",
            tuple(PairedPhone(phone.id, phone.name, phone.seat) for phone in phones),
            changes,
            asked.number if asked else "",
        )

    @property
    def ignores_keys(self) -> bool:
        """Whether the display began to show a request less than IGNORE_KEYS_S ago: a key pressed now was not meant as
        the answer."""
        asked = self._asked()
        return asked is not None and self._clock() - asked.since_s < IGNORE_KEYS_S

    def _asked(self) -> PairingRequest | None:
        """The request that the display shows: the oldest that is not answered."""
        return next((request for request in self._requests if not request.is_accepted), None)

    def _answer_request(self, *, is_accepted: bool) -> None:
        with self._lock:
            asked = self._asked()
            if asked is None:
                return
            asked.is_accepted = is_accepted
            asked.since_s = self._clock()
            if not is_accepted:
                self._rejected_secret = asked.secret
                self._requests.remove(asked)
                self._count_against(asked.sender)
            if following := self._asked():
                following.since_s = self._clock()

    # Called by the web panel for a phone.

    def request_pairing(self, name: str, code: str, sender: str = "") -> str:
        """Request a token; returns the secret for `number_of`, `collect_token` and `cancel`. `sender` is an address. It
        has one request at a time: a new one takes the place of the last.

        Case and spaces of the code do not matter. Raises WrongCode, PairingClosed, PairingLocked, PairingBusy,
        BlankName, MixedAlphabets or LookAlikeName.
        """
        with self._lock:
            self._expire()
            self._check_lock(sender)
            self._check_code(code, sender)
            others = [request for request in self._requests if request.is_accepted or request.sender != sender]
            if len(others) >= MOST_REQUESTS:
                raise PairingBusy(f"{MOST_REQUESTS} phones at a time", "one more", fix="try again")
            check_name(name, [*(phone.name for phone in self.registry.phones), *(other.name for other in others)])
            number = new_number({other.number for other in others})
            request = PairingRequest(name, number, secrets.token_urlsafe(), sender, self._clock())
            self._requests = [*others, request]
            return request.secret

    def number_of(self, secret: str) -> str:
        """The number that phone and display show for this request; empty if there is none."""
        with self._lock:
            request = self._find(secret)
            return request.number if request else ""

    def collect_token(self, secret: str) -> tuple[Phone, str] | None:
        """The new phone and its token, once; None while nobody at the board has answered.

        Raises PairingRejected, NotPaired or PhoneRegistryError.
        """
        with self._lock:
            self._expire()
            request = self._find(secret)
            if self._rejected_secret and secrets_equal(self._rejected_secret, secret):
                raise PairingRejected("acceptance at the board", "a rejection", fix="ask the people at the board")
            if request is None:
                raise NotPaired("acceptance at the board", "none", fix="request pairing again")
            if not request.is_accepted:
                return None
            phone_and_token = self.registry.add_phone(request.name)
            self._requests.remove(request)
            return phone_and_token

    def cancel(self, secret: str) -> None:
        """Withdraw the request of this secret; does nothing if there is none."""
        with self._lock:
            if request := self._find(secret):
                self._requests.remove(request)

    def _find(self, secret: str) -> PairingRequest | None:
        return next((request for request in self._requests if secrets_equal(request.secret, secret)), None)

    def _check_lock(self, sender: str) -> None:
        guesses = self._guesses.get(sender)
        if guesses and (left_s := guesses.locked_until_s - self._clock()) > 0:
            raise PairingLocked(left_s)

    def _check_code(self, code: str, sender: str) -> None:
        """Raises PairingClosed, or WrongCode; the last of WRONG_CODES wrong codes also locks the address."""
        if not self._code:
            raise PairingClosed("pairing to be open", "closed", fix="open it on the board: hold FN, Phones")
        if secrets_equal(self._code, code.upper().replace(" ", "")):
            return
        self._count_against(sender)
        raise WrongCode("the code on the display", "another", fix="read it again")

    def _guesses_of(self, sender: str) -> Guesses:
        if sender not in self._guesses and len(self._guesses) >= MOST_ADDRESSES:
            del self._guesses[next(iter(self._guesses))]
        return self._guesses.setdefault(sender, Guesses())

    def _count_against(self, sender: str) -> None:
        guesses = self._guesses_of(sender)
        guesses.wrong_codes += 1
        if guesses.wrong_codes >= WRONG_CODES:
            guesses.wrong_codes = 0
            guesses.locked_until_s = self._clock() + LOCKED_S

    def _expire(self) -> None:
        now_s = self._clock()
        if now_s >= self._closes_s:
            self._code = ""
        self._requests = [request for request in self._requests if now_s < request.since_s + OPEN_S]


def secrets_equal(secret: str, given: str) -> bool:
    """Compares in constant time, so that the time of an answer says nothing about the secret."""
    return secrets.compare_digest(secret.encode(), given.encode())


def random_code() -> str:
    """CODE_LENGTH letters of CODE_LETTERS, from the operating system's random source."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def new_number(taken: Container[str]) -> str:
    """Two digits that no other waiting phone shows."""
    return secrets.choice([number for number in map(str, range(10, 100)) if number not in taken])
