"""The pairing state machine, on a clock that the tests set: accepted, rejected, expired and locked out."""

from __future__ import annotations

import pytest

from firmware_host.pairing.names import BlankName, LookAlikeName, MixedAlphabets
from firmware_host.pairing.pairing import (
    CODE_LENGTH,
    IGNORE_KEYS_S,
    LOCKED_S,
    MOST_REQUESTS,
    OPEN_S,
    WRONG_CODES,
    NotPaired,
    Pairing,
    PairingBusy,
    PairingClosed,
    PairingLocked,
    PairingRejected,
    WrongCode,
    random_code,
)
from firmware_host.pairing.registry import PhoneRegistry
from firmware_host.ui.pairing_prompt import (
    AcceptPhone,
    ClosePairing,
    OpenPairing,
    RejectPhone,
    RemovePhone,
    pairing_prompt,
)

CODE = "KRTMWX"


class Setup:
    """Pairing with a fixed code and a clock that stands at `now_s`."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.registry = PhoneRegistry()
        self.pairing = Pairing(self.registry, lambda: self.now_s, lambda: CODE)

    def guess(self, times: int, sender: str = "") -> None:
        for _ in range(times):
            with pytest.raises(WrongCode):
                self.pairing.request_pairing("Eve", "BBBBBB", sender)


@pytest.fixture
def setup() -> Setup:
    return Setup()


def test_an_accepted_phone_collects_its_token_once(setup: Setup) -> None:
    pairing = setup.pairing
    pairing.do(OpenPairing())
    assert pairing.pairing_state().code == CODE
    secret = pairing.request_pairing("Ann", "krt mwx")
    assert (
        pairing.pairing_state().requested_by == "Ann"
        and pairing.collect_token(secret) is None
        and not setup.registry.phones
    )
    pairing.do(AcceptPhone())
    assert pairing.pairing_state().requested_by == "" and not setup.registry.phones
    collected = pairing.collect_token(secret)
    assert collected and setup.registry.phone_with_token(collected[1]) == collected[0]
    assert [phone.name for phone in pairing.pairing_state().phones] == ["Ann"]
    with pytest.raises(NotPaired):
        pairing.collect_token(secret)


def test_a_rejected_phone_gets_no_token(setup: Setup) -> None:
    setup.pairing.do(OpenPairing())
    secret = setup.pairing.request_pairing("Eve", CODE)
    setup.pairing.do(RejectPhone())
    setup.pairing.do(AcceptPhone())
    for _ in range(2):
        with pytest.raises(PairingRejected):
            setup.pairing.collect_token(secret)


def test_only_the_secret_of_the_request_collects_the_token(setup: Setup) -> None:
    setup.pairing.do(OpenPairing())
    setup.pairing.request_pairing("Ann", CODE)
    setup.pairing.do(AcceptPhone())
    for guess in ("", CODE, "é", "\ud800".encode("utf-8", "replace").decode()):
        with pytest.raises(NotPaired):
            setup.pairing.collect_token(guess)


def test_no_code_is_accepted_while_pairing_is_closed(setup: Setup) -> None:
    for code in ("", CODE):
        with pytest.raises(PairingClosed):
            setup.pairing.request_pairing("Ann", code)
    setup.pairing.do(OpenPairing())
    setup.pairing.do(ClosePairing())
    with pytest.raises(PairingClosed):
        setup.pairing.request_pairing("Ann", CODE)


def test_a_code_expires_after_two_minutes(setup: Setup) -> None:
    setup.pairing.do(OpenPairing())
    setup.now_s += OPEN_S - 1
    assert setup.pairing.pairing_state().code
    setup.now_s += 1
    assert not setup.pairing.pairing_state().code
    with pytest.raises(PairingClosed):
        setup.pairing.request_pairing("Ann", CODE)


@pytest.mark.parametrize("is_accepted", [True, False])
def test_a_request_expires_after_two_minutes(setup: Setup, is_accepted: bool) -> None:
    setup.pairing.do(OpenPairing())
    secret = setup.pairing.request_pairing("Ann", CODE)
    if is_accepted:
        setup.pairing.do(AcceptPhone())
    setup.now_s += OPEN_S
    assert not setup.pairing.pairing_state().requested_by
    with pytest.raises(NotPaired):
        setup.pairing.collect_token(secret)


def test_a_cancelled_request_is_withdrawn(setup: Setup) -> None:
    setup.pairing.do(OpenPairing())
    secret = setup.pairing.request_pairing("Ann", CODE)
    setup.pairing.cancel("not hers")
    assert setup.pairing.pairing_state().requested_by == "Ann"
    setup.pairing.cancel(secret)
    assert not setup.pairing.pairing_state().requested_by
    with pytest.raises(NotPaired):
        setup.pairing.collect_token(secret)
    assert setup.pairing.request_pairing("Ben", CODE)


def test_a_waiting_phone_blocks_no_other(setup: Setup) -> None:
    setup.pairing.do(OpenPairing())
    eve = setup.pairing.request_pairing("Eve", CODE, "192.0.2.66")
    ann = setup.pairing.request_pairing("Ann", CODE, "192.0.2.1")
    assert setup.pairing.pairing_state().requested_by == "Eve"
    setup.pairing.do(RejectPhone())
    assert setup.pairing.pairing_state().requested_by == "Ann" and setup.pairing.ignores_keys
    setup.pairing.do(AcceptPhone())
    assert setup.pairing.collect_token(ann)
    with pytest.raises(PairingRejected):
        setup.pairing.collect_token(eve)


def test_five_rejections_lock_the_address(setup: Setup) -> None:
    setup.pairing.do(OpenPairing())
    for _ in range(WRONG_CODES):
        setup.pairing.request_pairing("Eve", CODE, "192.0.2.66")
        setup.pairing.do(RejectPhone())
    with pytest.raises(PairingLocked):
        setup.pairing.request_pairing("Eve", CODE, "192.0.2.66")


def test_one_address_has_one_request(setup: Setup) -> None:
    setup.pairing.do(OpenPairing())
    secrets = [setup.pairing.request_pairing(f"Eve{number}", CODE, "192.0.2.66") for number in range(9)]
    assert setup.pairing.request_pairing("Ann", CODE, "192.0.2.1")
    with pytest.raises(NotPaired):
        setup.pairing.collect_token(secrets[0])
    assert setup.pairing.pairing_state().requested_by == "Eve8"


def test_few_phones_wait_at_a_time(setup: Setup) -> None:
    setup.pairing.do(OpenPairing())
    for number in range(MOST_REQUESTS):
        setup.pairing.request_pairing(f"P{number}", CODE, f"192.0.2.{number}")
    with pytest.raises(PairingBusy):
        setup.pairing.request_pairing("Ann", CODE, "192.0.2.9")


def test_phone_and_display_show_the_same_number(setup: Setup) -> None:
    setup.pairing.do(OpenPairing())
    senders = ("192.0.2.1", "192.0.2.2")
    first, second = (setup.pairing.request_pairing("Ann", CODE, sender) for sender in senders)
    numbers = [setup.pairing.number_of(secret) for secret in (first, second)]
    assert len(set(numbers)) == 2 and all(len(number) == 2 and number.isdigit() for number in numbers)
    assert setup.pairing.pairing_state().number == numbers[0]
    assert pairing_prompt(setup.pairing.pairing_state()) == f"Add Ann {numbers[0]}? ENTER"
    setup.pairing.do(RejectPhone())
    assert setup.pairing.pairing_state().number == numbers[1]


@pytest.mark.parametrize("name", ["\u0410nn", "Ann\u0430", "\u0391nn", "A\u0578n"])
def test_a_name_of_mixed_alphabets_is_refused(setup: Setup, name: str) -> None:
    setup.pairing.do(OpenPairing())
    with pytest.raises(MixedAlphabets):
        setup.pairing.request_pairing(name, CODE)


@pytest.mark.parametrize("name", ["", "\u2800", "\u3164\u115f", "\u200b", "\ufe0f", " \u034f"], ids=ascii)
def test_a_name_that_shows_nothing_is_refused(setup: Setup, name: str) -> None:
    setup.pairing.do(OpenPairing())
    with pytest.raises(BlankName):
        setup.pairing.request_pairing(name, CODE)


@pytest.mark.parametrize("name", ["Анна", "Łukasz", "Zoë 2", "Νίκος", "Ann-Marie", "李"])
def test_a_name_of_one_alphabet_is_accepted(setup: Setup, name: str) -> None:
    setup.pairing.do(OpenPairing())
    assert setup.pairing.request_pairing(name, CODE)


@pytest.mark.parametrize(("name", "other"), [("СОР", "COP"), ("Β0Β", "BOB"), ("AI", "Al"), ("Тот", "TOT")])
def test_a_name_that_looks_like_another_phones_is_refused(setup: Setup, name: str, other: str) -> None:
    setup.registry.add_phone(other)
    setup.pairing.do(OpenPairing())
    with pytest.raises(LookAlikeName, match=other):
        setup.pairing.request_pairing(name, CODE)


def test_keys_are_ignored_just_after_a_request(setup: Setup) -> None:
    assert not setup.pairing.ignores_keys
    setup.pairing.do(OpenPairing())
    setup.pairing.request_pairing("Ann", CODE)
    assert setup.pairing.ignores_keys
    setup.now_s += IGNORE_KEYS_S
    assert not setup.pairing.ignores_keys


def test_five_wrong_codes_lock_pairing(setup: Setup) -> None:
    """For the address that sent them; pairing stays open for others, and can be opened again."""
    setup.pairing.do(OpenPairing())
    setup.guess(WRONG_CODES, "192.0.2.66")
    with pytest.raises(PairingLocked) as locked:
        setup.pairing.request_pairing("Eve", CODE, "192.0.2.66")
    assert LOCKED_S <= locked.value.retry_s <= LOCKED_S + 1
    assert setup.pairing.pairing_state().code and setup.pairing.request_pairing("Ann", CODE, "192.0.2.1")
    setup.pairing.do(OpenPairing())
    with pytest.raises(PairingLocked):
        setup.pairing.request_pairing("Eve", CODE, "192.0.2.66")
    setup.now_s += LOCKED_S
    assert setup.pairing.request_pairing("Eve", CODE, "192.0.2.66")


def test_four_wrong_codes_do_not_lock_pairing(setup: Setup) -> None:
    setup.pairing.do(OpenPairing())
    setup.guess(WRONG_CODES - 1)
    assert setup.pairing.request_pairing("Ann", CODE)


def test_a_phone_is_removed_at_the_board(setup: Setup) -> None:
    phone, token = setup.registry.add_phone("Ann")
    setup.pairing.do(RemovePhone(phone.id))
    assert setup.registry.phone_with_token(token) is None and not setup.pairing.pairing_state().phones


def test_each_code_is_different() -> None:
    codes = {random_code() for _ in range(50)}
    assert len(codes) == 50 and all(len(code) == CODE_LENGTH for code in codes)
