"""Pictures that the driver encodes are what the firmware shows; frames that it cannot show change nothing."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_drivers.picture_frames import LAST_OF_PICTURE, TINTS, picture_payloads
from board_drivers.ports import Colour
from board_drivers.scan_protocol import Refusal

MAX_LIGHTS = 490
ACCEPTED = 0
COLOURS = st.tuples(*[st.integers(0, 255)] * 3)
RED: Colour = (255, 0, 0)


class Picture(ctypes.Structure):
    _fields_ = (
        ("brightness", ctypes.c_uint8),
        ("tint", ctypes.c_uint8 * 3 * TINTS),
        ("pairs", ctypes.c_uint8 * (MAX_LIGHTS // 2 + 1)),
        ("lights", ctypes.c_uint16),
        ("is_complete", ctypes.c_bool),
    )


class Firmware:
    """The picture in the firmware."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library, self.picture = library, Picture()
        library.picture_tint.restype = ctypes.POINTER(ctypes.c_uint8)

    def add(self, payload: bytes) -> int:
        refusal: int = self._library.picture_add(ctypes.byref(self.picture), payload, ctypes.c_size_t(len(payload)))
        return refusal

    def colours(self, lights: int) -> list[Colour]:
        tints = (self._library.picture_tint(ctypes.byref(self.picture), light) for light in range(lights))
        return [(tint[0], tint[1], tint[2]) for tint in tints]


@pytest.fixture
def firmware(library: ctypes.CDLL) -> Firmware:
    return Firmware(library)


@given(
    palette=st.lists(COLOURS, min_size=1, max_size=TINTS),
    lights=st.integers(1, MAX_LIGHTS),
    step=st.integers(1, 7),
    brightness=st.integers(0, 31),
)
def test_every_light_gets_its_colour(
    library: ctypes.CDLL, palette: Sequence[Colour], lights: int, step: int, brightness: int
) -> None:
    firmware = Firmware(library)
    colours = [palette[light * step % len(palette)] for light in range(lights)]
    payloads = list(picture_payloads(colours, brightness))
    for payload in payloads:
        assert not firmware.picture.is_complete
        assert firmware.add(payload) == ACCEPTED
    assert firmware.picture.is_complete and firmware.picture.brightness == brightness
    assert firmware.colours(lights) == colours
    assert firmware.picture.lights == lights + lights % 2


@given(colours=st.lists(COLOURS, min_size=17, max_size=60, unique=True))
def test_more_colours_than_tints_lose_their_lowest_bits(library: ctypes.CDLL, colours: Sequence[Colour]) -> None:
    firmware = Firmware(library)
    (payload,) = picture_payloads(colours, 31)
    assert firmware.add(payload) == ACCEPTED
    shown = firmware.colours(len(colours))
    assert len(set(shown)) <= TINTS
    for now, meant in zip(shown, colours, strict=True):
        assert all(part <= whole for part, whole in zip(now, meant, strict=True))


@pytest.mark.parametrize(
    ("payload", "refusal"),
    [
        (b"", Refusal.WRONG_LENGTH),
        (bytes([5, 0, 0]), Refusal.WRONG_LENGTH),
        (bytes([5, 0, 0, 0]), Refusal.WRONG_LENGTH),
        (bytes([5, 2, 0, 0, 9, 9, 9, 9, 9, 9]), Refusal.WRONG_LENGTH),
        (bytes([5, 0, 0, 1, 0x11]), Refusal.WRONG_LENGTH),
        (bytes([32, 0, 0, 0, 0x11]), Refusal.OUT_OF_RANGE),
        (bytes([5, 17, 0, 0]) + bytes(60), Refusal.OUT_OF_RANGE),
        (bytes([5, 0, 0xFF, 0xFE, 0x11]), Refusal.OUT_OF_RANGE),
        (bytes([5, 0, MAX_LIGHTS >> 8, MAX_LIGHTS & 0xFF, 0x11]), Refusal.OUT_OF_RANGE),
        (bytes([5, 0, 0, 4, 0x11]), Refusal.OUT_OF_ORDER),
    ],
)
def test_refused_frames_change_nothing(firmware: Firmware, payload: bytes, refusal: Refusal) -> None:
    (picture,) = picture_payloads([RED] * 10, 7)
    assert firmware.add(picture) == ACCEPTED
    before = bytes(firmware.picture)
    assert firmware.add(payload) == refusal
    assert bytes(firmware.picture) == before


def test_picture_without_its_first_frame_is_never_complete(firmware: Firmware) -> None:
    first, second = picture_payloads([RED] * MAX_LIGHTS, 7)
    assert firmware.add(second) == Refusal.OUT_OF_ORDER and not firmware.picture.is_complete
    assert firmware.add(first) == ACCEPTED and not firmware.picture.is_complete
    assert firmware.add(second) == ACCEPTED and firmware.picture.is_complete
    assert firmware.add(second) == Refusal.OUT_OF_ORDER
    assert second[0] & LAST_OF_PICTURE and not first[0] & LAST_OF_PICTURE
