"""Pairing as the people at the board meet it: the commands of the keypad, the state it shows, and the question asked.

The rules are in `firmware_host/pairing/pairing.py`.
"""

from __future__ import annotations

from msgspec import Struct

from firmware_host.cribbage.rules import Seat
from firmware_host.ui.translator import Translator, untranslated


class OpenPairing(Struct, frozen=True):
    """Show a new code, with which a phone may request pairing."""


class ClosePairing(Struct, frozen=True):
    """Withdraw the code."""


class AcceptPhone(Struct, frozen=True):
    """Let the phone that requested pairing collect its token."""


class RejectPhone(Struct, frozen=True):
    """Refuse the phone that requested pairing."""


class RemovePhone(Struct, frozen=True):
    """Revoke the token of a paired phone. `phone` is its id."""

    phone: str


PairingCommand = OpenPairing | ClosePairing | AcceptPhone | RejectPhone | RemovePhone
"""Commands for the host, which hands them to `Pairing.do`; the game does not know them."""


class PairedPhone(Struct, frozen=True):
    """What the keypad shows of a paired phone. `phone` is its id."""

    phone: str
    name: str
    seat: Seat | None = None


class PairingState(Struct, frozen=True):
    """`code` is empty unless pairing is open; `requested_by` names the phone whose request waits for an answer."""

    code: str = ""
    requested_by: str = ""
    phones: tuple[PairedPhone, ...] = ()
    changes: int = 0
    """The number of changes to the registry since the start; see `PhoneRegistry.changes`."""
    number: str = ""
    """Two digits, which the phone that asks shows too."""


def pairing_prompt(pairing_state: PairingState, tr: Translator = untranslated) -> str:
    """The question whether to accept a phone; empty without a request.

    It goes before every other prompt, since ENTER accepts the phone whatever else the display would show.
    """
    if not pairing_state.requested_by:
        return ""
    return tr("Add {name} {number}? ENTER").format(name=pairing_state.requested_by, number=pairing_state.number)
