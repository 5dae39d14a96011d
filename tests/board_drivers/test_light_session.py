"""The lights on the cable of a scanner: what is sent again, what is a fault, and how much current they may draw."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from board_drivers.light_session import ANSWER_S, REPEAT_S, TRIES, LightSession
from board_drivers.ports import Colour, DriverError
from board_drivers.scan_protocol import ErrorCode, Frame, FrameDecoder, Kind, LightReturn, Refusal

RED: Colour = (200, 0, 0)
BLUE: Colour = (0, 0, 200)
BUDGET_MA = 10_000


def frames(sent: bytes) -> list[Frame]:
    return list(FrameDecoder().feed(sent))


def shown(session: LightSession, colours: Sequence[Colour], at_s: float = 0.0) -> list[Frame]:
    return frames(session.show(colours, BUDGET_MA, at_s))


def answer(session: LightSession, number: int, seen: LightReturn = LightReturn.INTACT) -> None:
    session.receive(Frame(Kind.LIGHTS_RECEIVED, 0, bytes([number, seen])))


def refuse(session: LightSession, number: int, reason: int) -> None:
    session.receive(Frame(Kind.ERROR, 0, bytes([ErrorCode.LIGHTS_REFUSED, reason, number])))


def test_answered_picture_is_not_sent_again() -> None:
    session = LightSession()
    (frame,) = shown(session, [RED] * 10)
    answer(session, frame.sequence)
    assert session.due(60.0) == b"" and session.fault is None


def test_picture_without_all_its_answers_is_sent_again_whole() -> None:
    session = LightSession()
    first, second = shown(session, [RED, BLUE] * 240)
    answer(session, first.sequence)
    assert session.due(ANSWER_S) == b""
    again = frames(session.due(ANSWER_S + 0.01))
    assert [frame.payload for frame in again] == [first.payload, second.payload]
    assert {frame.sequence for frame in again}.isdisjoint({first.sequence, second.sequence})


def test_answers_to_an_older_picture_do_not_count() -> None:
    session = LightSession()
    (old,) = shown(session, [RED] * 10)
    (new,) = shown(session, [BLUE] * 10)
    answer(session, old.sequence)
    assert [frame.payload for frame in frames(session.due(ANSWER_S + 0.01))] == [new.payload]


def test_lights_that_never_answer_are_a_fault_until_they_do() -> None:
    session = LightSession()
    shown(session, [RED] * 10)
    at_s = 0.0
    for _ in range(TRIES):
        assert session.fault is None
        at_s += ANSWER_S + 0.01
        session.due(at_s)
    assert session.fault and session.fault.got == "none"
    assert session.due(at_s + 10) == b"", "the next picture tries again"
    (frame,) = shown(session, [BLUE] * 10, at_s + 10)
    answer(session, frame.sequence)
    assert session.fault is None


def test_frame_out_of_order_is_sent_again_and_is_no_fault() -> None:
    session = LightSession()
    first, second = shown(session, [RED, BLUE] * 240)
    refuse(session, second.sequence, Refusal.OUT_OF_ORDER)
    assert session.fault is None
    assert [frame.payload for frame in frames(session.due(1.0))] == [first.payload, second.payload]


@pytest.mark.parametrize("reason", [Refusal.NO_LIGHTS, Refusal.WRONG_LENGTH, Refusal.OUT_OF_RANGE, 77])
def test_refused_picture_is_a_fault_with_its_reason(reason: int) -> None:
    session = LightSession()
    (frame,) = shown(session, [RED] * 10)
    refuse(session, frame.sequence, reason)
    assert session.fault and session.fault.device == "Lights" and session.due(60.0) == b""
    (frame,) = shown(session, [BLUE] * 10, 1.0)
    answer(session, frame.sequence)
    assert session.fault is None


def test_end_of_the_chain_must_be_silent_several_times() -> None:
    session = LightSession()
    for number in range(TRIES):
        assert session.fault is None
        (frame,) = shown(session, [(number, 0, 0)] * 10)
        answer(session, frame.sequence, LightReturn.BROKEN)
    assert session.fault and session.fault.got == "nothing"
    (frame,) = shown(session, [RED] * 10)
    answer(session, frame.sequence)
    assert session.fault is None


def test_same_picture_is_sent_once_in_half_a_second() -> None:
    session = LightSession()
    assert shown(session, [RED] * 10)
    assert not shown(session, [RED] * 10, REPEAT_S / 2)
    assert shown(session, [BLUE] * 10, REPEAT_S / 2)
    assert shown(session, [BLUE] * 10, 2 * REPEAT_S)


def test_current_is_limited_and_dark_lights_count() -> None:
    session = LightSession()
    (frame,) = frames(session.show([(255, 255, 255)] * 100, 300.0, 0.0))
    brightness, tint = frame.payload[0] & 31, frame.payload[4:7]
    assert brightness == 1 and 100 + 100 * sum(tint) / 255 * 20 / 31 <= 300
    with pytest.raises(DriverError) as caught:
        session.show([RED] * 100, 90.0, 1.0)
    assert (caught.value.expected, caught.value.got) == ("more than 100 mA for 100 lights in the dark", "90 mA")
