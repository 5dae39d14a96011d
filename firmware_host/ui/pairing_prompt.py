"""Pairing as the people at the board meet it: the commands of the keypad, the state it shows, and the question asked.

The rules are in `firmware_host/pairing/pairing.py`.
"""

from __future__ import annotations

from firmware_host.cribbage.rules import Seat
from firmware_host.lazy_dataclass import dataclass
from firmware_host.ui.translator import Translator, untranslated


@dataclass(frozen=True, slots=True)
class OpenPairing:
    """Show a new code, with which a phone may request pairing."""


@dataclass(frozen=True, slots=True)
class ClosePairing:
    """Withdraw the code."""


@dataclass(frozen=True, slots=True)
class AcceptPhone:
    """Let the phone that requested pairing collect its token."""


@dataclass(frozen=True, slots=True)
class RejectPhone:
    """Refuse the phone that requested pairing."""


@dataclass(frozen=True, slots=True)
class RemovePhone:
    """Revoke the token of a paired phone. `phone` is its id."""

    phone: str


PairingCommand = OpenPairing | ClosePairing | AcceptPhone | RejectPhone | RemovePhone
"""Commands for the host, which hands them to `Pairing.do`; the game does not know them."""


@dataclass(frozen=True, slots=True)
class PairedPhone:
    """What the keypad shows of a paired phone. `phone` is its id."""

    phone: str
    name: str
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class PairingState:
    """`code` is empty unless pairing is open; `requested_by` names the phone whose request waits for an answer."""

    code: str = ""
    requested_by: str = ""
    phones: tuple[PairedPhone, ...] = ()
    changes: int = 0
    """The number of changes to the registry since the start; see `PhoneRegistry.changes`."""
    number: str = ""
    """Two digits, which the phone that asks shows too."""


def pairing_prompt(pairing_state: PairingState, _: Translator = untranslated) -> str:
    """The question whether to accept a phone; empty without a request.

    It goes before every other prompt, since ENTER accepts the phone whatever else the display would show.
    """
    if not pairing_state.requested_by:
        return ""
    return _("Add {name} {number}? ENTER").format(name=pairing_state.requested_by, number=pairing_state.number)
