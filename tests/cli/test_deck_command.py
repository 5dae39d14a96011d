"""`cribboard deck`: teaching over a real tty, what is kept, and what is said when there is no reader."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.cribbage.cards import PACK, parse_card
from firmware_host.deck import Deck

PATIENCE_S = 20.0


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRIBBOARD_STATE_FOLDER", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def reader() -> Iterator[tuple[int, str]]:
    """Where a test writes what a reader reads, and the name of its port."""
    near, far = pty.openpty()
    tty.setraw(far)
    yield near, os.ttyname(far)
    os.close(near)
    os.close(far)


def deck(*args: str) -> Result:
    return CliRunner().invoke(main, ["deck", *args])


class Lesson:
    """`cribboard deck teach` in a process of its own, as a person sees it."""

    def __init__(self, port: str) -> None:
        command = [sys.executable, "-m", "firmware_host", "deck", "teach", "--card-reader", port]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert self._process.stdout
        self._said = self._process.stdout.fileno()
        self.text = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:
            self._process.kill()

    def until(self, expected: str) -> None:
        """Read on until this is said."""
        before = len(self.text)
        while expected not in self.text[before:]:
            assert select.select([self._said], [], [], PATIENCE_S)[0], f"waited for {expected!r} after {self.text!r}"
            said = os.read(self._said, 4096).decode()
            assert said, f"ended before {expected!r}: {self.text!r}"
            self.text += said

    def end(self, *, interrupted: bool = False) -> int:
        if interrupted:
            self._process.send_signal(signal.SIGINT)
        self.text += self._process.communicate(timeout=PATIENCE_S)[0].decode()
        return self._process.returncode


def test_a_deck_is_taught_card_by_card_and_a_tag_taken_is_told(state: Path, reader: tuple[int, str]) -> None:
    near, port = reader
    Deck(state / "deck.json").teach("04A0", PACK[0])
    for number, card in enumerate(PACK[4:], start=4):
        Deck(state / "deck.json").teach(f"04A{number}", card)
    with Lesson(port) as lesson:
        lesson.until("AH? ")
        os.write(near, b"04A0\r\n")
        lesson.until("AH? ")
        assert "expected a new tag for AH, got the tag of AS" in lesson.text
        os.write(near, b"04B1\r\n")
        lesson.until("AD? ")
        os.write(near, b"04B2\r\n")
        lesson.until("AC? ")
        os.write(near, b"04B3\r\n")
        assert lesson.end() == 0 and "52 of 52 cards are taught" in lesson.text
    cards = Deck(state / "deck.json").cards
    assert [str(cards[tag]) for tag in ("04A0", "04B1", "04B2", "04B3")] == ["AS", "AH", "AD", "AC"]


def test_a_lesson_that_was_broken_off_goes_on_where_it_stopped(state: Path, reader: tuple[int, str]) -> None:
    near, port = reader
    with Lesson(port) as lesson:
        lesson.until("AS? ")
        os.write(near, b"04A0\n")
        lesson.until("AH? ")
        assert lesson.end(interrupted=True) == 130 and "1 of 52 cards are taught" in lesson.text
    with Lesson(port) as again:
        again.until("AH? ")


def test_what_was_taught_is_shown_and_what_was_not(state: Path) -> None:
    Deck(state / "deck.json").teach("04A1", parse_card("5H"))
    lines = deck("show").stdout.splitlines()
    assert lines[0] == "5H\t04A1" and lines[1].startswith("not taught: AS AH") and "5H" not in lines[1]


def test_a_card_is_forgotten_by_its_name(state: Path) -> None:
    Deck(state / "deck.json").teach("04A1", parse_card("5H"))
    assert deck("forget", "5h").exit_code == 0
    assert not Deck(state / "deck.json").cards
    wrong = deck("forget", "5X")
    assert wrong.exit_code == 1 and "expected a card such as 5H" in wrong.stderr


def test_without_a_reader_it_says_how_to_name_one() -> None:
    said = deck("teach")
    assert said.exit_code == 1
    assert said.stderr.startswith("card_reader: expected the port of a card reader, got none; name it: cribboard deck")


def test_a_port_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    said = deck("teach", "--card-reader", str(tmp_path / "reader"))
    assert said.exit_code == 1 and "no such file or directory. Plug it in" in said.stderr
    assert said.stderr.count("\n") == 1


def test_a_broken_deck_is_told_and_not_taught_over(state: Path) -> None:
    (state / "deck.json").write_text("{")
    assert deck("show").stderr.startswith(f"{state / 'deck.json'}: expected a deck as it was taught")
