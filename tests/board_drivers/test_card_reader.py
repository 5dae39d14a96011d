"""The card reader's driver: tags from lines as readers send them, and a cable that is unplugged and returns."""

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

from board_drivers.card_reader import MAX_TAG_LENGTH, REPEAT_AFTER_S, RETRY_S, SerialCardReader, TagLines
from board_drivers.ports import DriverError
from tests.board_drivers.cables import BenchCable, BenchPorts

PORT = "/dev/ttyUSB3"
TIMEOUT_S = 60.0
TAGS = st.lists(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=20), unique=True)


@pytest.fixture
def ports() -> BenchPorts:
    ports = BenchPorts()
    ports.plugged[PORT] = BenchCable()
    return ports


@pytest.fixture
def reader(ports: BenchPorts) -> SerialCardReader:
    return SerialCardReader(PORT, 9600, open_cable=ports.open, clock=ports.clock)


@pytest.mark.parametrize(
    ("sent", "tags"),
    [
        (b"04A1B2C3\n", ["04A1B2C3"]),
        (b"04A1B2C3\r\n5H\r\n", ["04A1B2C3", "5H"]),
        (b"04A1B2C3\r", ["04A1B2C3"]),
        (b"\x0204A1B2C3\r\n\x03\x0204A1B2FF\r\n\x03", ["04A1B2C3", "04A1B2FF"]),
        (b"\r\n\r\n", []),
        (b"\xff\xfe\x00\n", []),
        (b"A" * (MAX_TAG_LENGTH + 1) + b"\n5H\n", ["5H"]),
        (b"A" * 100_000 + b"\n5H\n", ["5H"]),
        (b"no line yet", []),
    ],
)
def test_tags_are_read_from_every_kind_of_line(sent: bytes, tags: list[str]) -> None:
    assert TagLines().feed(sent, 0.0) == tags


@given(TAGS, st.data())
def test_line_may_be_split_anywhere(tags: list[str], data: st.DataObject) -> None:
    sent = "".join(f"{tag}\r\n" for tag in tags).encode()
    offset = data.draw(st.integers(0, len(sent)))
    lines = TagLines()
    assert lines.feed(sent[:offset], 0.0) + lines.feed(sent[offset:], 0.1) == tags


def test_card_left_on_the_reader_is_reported_once() -> None:
    lines = TagLines()
    assert lines.feed(b"5H\n", 0.0) == ["5H"]
    for tenth in range(1, 30):
        assert lines.feed(b"5H\n", tenth / 10) == []
    assert lines.feed(b"5H\n", 2.9 + REPEAT_AFTER_S) == ["5H"]


def test_endless_line_is_not_buffered() -> None:
    lines = TagLines()
    for _ in range(1000):
        lines.feed(b"A" * 1000, 0.0)
    assert len(lines._partial) <= 2 * MAX_TAG_LENGTH


def test_missing_reader_raises_once_and_is_found_later(ports: BenchPorts, reader: SerialCardReader) -> None:
    cable = ports.plugged.pop(PORT)
    with pytest.raises(DriverError, match=f"{PORT} to open"):
        reader.tags()
    ports.now_s += RETRY_S
    assert reader.tags() == ()
    ports.plugged[PORT] = cable
    cable.incoming += b"5H\n"
    assert reader.tags() == (), "it is retried every two seconds at most"
    ports.now_s += RETRY_S
    assert reader.tags() == ["5H"]


def test_unplugged_reader_is_closed_raises_once_and_returns(ports: BenchPorts, reader: SerialCardReader) -> None:
    reader.tags()
    cable = ports.plugged[PORT]
    cable.is_unplugged = True
    with pytest.raises(DriverError, match="plugged in"):
        reader.tags()
    assert cable.is_closed
    ports.plugged[PORT] = BenchCable(bytearray(b"5H\n"))
    ports.now_s += RETRY_S
    assert reader.tags() == ["5H"]
    ports.plugged[PORT].is_unplugged = True
    with pytest.raises(DriverError):
        reader.tags()


# On a real tty


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    ends = pty.openpty()
    tty.setraw(ends[1])
    yield ends
    for end in ends:
        os.close(end)


def test_tag_is_read_from_a_real_tty(ends: tuple[int, int]) -> None:
    reader, until_s = SerialCardReader(os.ttyname(ends[1]), 9600), time.monotonic() + TIMEOUT_S
    assert reader.tags() == []
    os.write(ends[0], b"04A1")
    os.write(ends[0], b"B2C3\r\n")
    tags: list[str] = []
    while not tags and time.monotonic() < until_s:
        tags += reader.tags()
    reader.close()
    assert tags == ["04A1B2C3"]


def test_port_held_by_another_program_names_the_command_to_find_it(ends: tuple[int, int]) -> None:
    path = os.ttyname(ends[1])
    holder, other = SerialCardReader(path, 9600), SerialCardReader(path, 9600)
    holder.tags()
    with pytest.raises(DriverError, match=f"fuser -v {path}"):
        other.tags()
    holder.close()


def test_regular_file_is_not_accepted_as_a_port(tmp_path: Path) -> None:
    file = tmp_path / "reader"
    file.write_text("5H\n")
    with pytest.raises(DriverError, match=f"{file} to work"):
        SerialCardReader(str(file), 9600).tags()
