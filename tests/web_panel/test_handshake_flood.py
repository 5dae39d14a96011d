"""Floods of TLS handshakes, on the loopback interface: connections are bounded, and a paired phone is answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from tests.web_panel.attackers import CLIENT_HELLO, TLS_ATTACKS, Attacker, attack
from tests.web_panel.paired_phone import BEGIN, PairedPhone
from web_panel.server.limits import OTHER_FILES, ServerLimits

pytestmark = pytest.mark.slow

SECONDS = 10.0
ADDRESSES = 14
"""Of strangers. Together they may hold more connections than the board has."""
COMMANDS = 10
OF_THE_PHONE = 1
"""Its last connection, which the board may not have closed yet."""


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[PairedPhone]:
    phone = PairedPhone(tmp_path, is_https=True)
    try:
        phone.send("new-game", BEGIN)
        yield phone
    finally:
        phone.program.switch_off()


def correct(phone: PairedPhone, times: int) -> None:
    """Send commands, each after a handshake of its own; every one must be accepted."""
    for score in range(times):
        phone.send("correct", {"side": 0, "score": score, "reason": "test"})


@contextmanager
def connected(strangers: Iterable[Attacker], times: int) -> Iterator[None]:
    """Each stranger begins so many handshakes, and finishes none until the end of the block."""
    with ExitStack() as held:
        for stranger in strangers:
            for _ in range(times):
                if line := stranger.connect(CLIENT_HELLO):
                    held.enter_context(closing(line))
        yield


def test_unfinished_handshakes_of_one_address_are_bounded(phone: PairedPhone) -> None:
    before, stranger = phone.program.open_files, Attacker(phone.program.port, "127.0.6.1", SECONDS)
    with connected([stranger], 90):
        correct(phone, 1)
        assert phone.program.open_files - before <= ServerLimits().connections_of_stranger + OF_THE_PHONE


def test_unfinished_handshakes_of_many_addresses_are_bounded(phone: PairedPhone) -> None:
    strangers = [Attacker(phone.program.port, f"127.0.6.{number + 1}", SECONDS) for number in range(ADDRESSES)]
    each = ServerLimits().connections_of_stranger - 2
    assert ADDRESSES * each > ServerLimits().connections
    with connected(strangers, each):
        correct(phone, COMMANDS)
        assert phone.program.open_files <= ServerLimits().connections + OTHER_FILES


@pytest.mark.parametrize("kind", TLS_ATTACKS)
def test_a_paired_phone_is_answered_during_a_flood(phone: PairedPhone, kind: str) -> None:
    before_mib = phone.program.memory_mib
    with attack(phone.program.port, [kind] * 4, SECONDS * 6):
        correct(phone, COMMANDS)
        assert phone.program.open_files <= ServerLimits().connections + OTHER_FILES
    assert phone.program.memory_mib - before_mib < 20
