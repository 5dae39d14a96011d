"""The card reader: tags from lines as readers send them, and a cable that comes and goes."""

from __future__ import annotations

import os
import pty
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_drivers.card_reader import AGAIN_S, LONGEST_TAG, RETRY_S, SerialCardReader, TagLines
from board_drivers.ports import DriverFault
from tests.drivers.cables import BenchCable, Desk

PORT = "/dev/ttyUSB3"
PATIENCE_S = 5.0
TAGS = st.lists(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=20), unique=True)


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.ports[PORT] = BenchCable()
    return desk


@pytest.fixture
def reader(desk: Desk) -> SerialCardReader:
    return SerialCardReader(PORT, 9600, open_cable=desk.open, clock=desk.clock)


@pytest.mark.parametrize(
    ("sent", "tags"),
    [
        (b"04A1B2C3\n", ["04A1B2C3"]),
        (b"04A1B2C3\r\n5H\r\n", ["04A1B2C3", "5H"]),
        (b"04A1B2C3\r", ["04A1B2C3"]),
        (b"\x0204A1B2C3\r\n\x03\x0204A1B2FF\r\n\x03", ["04A1B2C3", "04A1B2FF"]),
        (b"\r\n\r\n", []),
        (b"\xff\xfe\x00\n", []),
        (b"A" * (LONGEST_TAG + 1) + b"\n5H\n", ["5H"]),
        (b"A" * 100_000 + b"\n5H\n", ["5H"]),
        (b"no line yet", []),
    ],
)
def test_tags_as_readers_send_them(sent: bytes, tags: list[str]) -> None:
    assert TagLines().feed(sent, 0.0) == tags


@given(TAGS, st.data())
def test_a_line_may_be_split_anywhere(tags: list[str], data: st.DataObject) -> None:
    sent = "".join(f"{tag}\r\n" for tag in tags).encode()
    offset = data.draw(st.integers(0, len(sent)))
    lines = TagLines()
    assert lines.feed(sent[:offset], 0.0) + lines.feed(sent[offset:], 0.1) == tags


def test_a_card_that_lies_on_the_reader_is_told_once_until_it_is_taken_away() -> None:
    lines = TagLines()
    assert lines.feed(b"5H\n", 0.0) == ["5H"]
    for tenth in range(1, 30):
        assert lines.feed(b"5H\n", tenth / 10) == []
    assert lines.feed(b"5H\n", 2.9 + AGAIN_S) == ["5H"]


def test_what_never_ends_is_not_kept() -> None:
    lines = TagLines()
    for _ in range(1000):
        lines.feed(b"A" * 1000, 0.0)
    assert len(lines._part) <= 2 * LONGEST_TAG


def test_a_missing_reader_is_told_once_and_found_when_it_is_there(desk: Desk, reader: SerialCardReader) -> None:
    cable = desk.ports.pop(PORT)
    with pytest.raises(DriverFault, match=f"{PORT} to open"):
        reader.tags()
    desk.now_s += RETRY_S
    assert reader.tags() == ()
    desk.ports[PORT] = cable
    cable.incoming += b"5H\n"
    assert reader.tags() == (), "not more than once every two seconds"
    desk.now_s += RETRY_S
    assert reader.tags() == ["5H"]


def test_an_unplugged_reader_is_closed_told_once_and_comes_back(desk: Desk, reader: SerialCardReader) -> None:
    reader.tags()
    cable = desk.ports[PORT]
    cable.is_unplugged = True
    with pytest.raises(DriverFault, match="plugged in"):
        reader.tags()
    assert cable.is_closed
    desk.ports[PORT] = BenchCable(bytearray(b"5H\n"))
    desk.now_s += RETRY_S
    assert reader.tags() == ["5H"]
    desk.ports[PORT].is_unplugged = True
    with pytest.raises(DriverFault):
        reader.tags()


# On a real tty


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    ends = pty.openpty()
    tty.setraw(ends[1])
    yield ends
    for end in ends:
        os.close(end)


def test_a_tag_comes_through_a_real_tty(ends: tuple[int, int]) -> None:
    reader, until_s = SerialCardReader(os.ttyname(ends[1]), 9600), time.monotonic() + PATIENCE_S
    assert reader.tags() == []
    os.write(ends[0], b"04A1")
    os.write(ends[0], b"B2C3\r\n")
    tags: list[str] = []
    while not tags and time.monotonic() < until_s:
        tags += reader.tags()
    reader.close()
    assert tags == ["04A1B2C3"]


def test_a_port_that_another_program_has_is_told_as_such(ends: tuple[int, int]) -> None:
    path = os.ttyname(ends[1])
    holder, other = SerialCardReader(path, 9600), SerialCardReader(path, 9600)
    holder.tags()
    with pytest.raises(DriverFault, match=f"fuser -v {path}"):
        other.tags()
    holder.close()


def test_a_file_is_no_serial_port(tmp_path: Path) -> None:
    file = tmp_path / "reader"
    file.write_text("5H\n")
    with pytest.raises(DriverFault, match=f"{file} to work"):
        SerialCardReader(str(file), 9600).tags()
