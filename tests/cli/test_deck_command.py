"""`cribboard deck`: registering tags over a pseudo-terminal, the stored tags, and the errors."""

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
from firmware_host.config.card_tags import CardTags
from firmware_host.cribbage.cards import PACK, parse_card

TIMEOUT_S = 60.0


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRIBBOARD_STATE_FOLDER", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def reader() -> Iterator[tuple[int, str]]:
    """A card reader: the file descriptor to which the test writes tags, and the name of the port."""
    tags, port = pty.openpty()
    tty.setraw(port)
    yield tags, os.ttyname(port)
    os.close(tags)
    os.close(port)


def deck(*args: str) -> Result:
    return CliRunner().invoke(main, ["deck", *args])


class TeachProcess:
    """`cribboard deck teach` in a process of its own. `text` is its output so far."""

    def __init__(self, port: str) -> None:
        command = [sys.executable, "-m", "firmware_host", "deck", "teach", "--card-reader", port]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert self._process.stdout
        self._output = self._process.stdout.fileno()
        self.text = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:
            self._process.kill()

    def until(self, expected: str) -> None:
        """Reads on until the output has `expected` again. Fails after TIMEOUT_S."""
        before = len(self.text)
        while expected not in self.text[before:]:
            assert select.select([self._output], [], [], TIMEOUT_S)[0], f"waited for {expected!r} after {self.text!r}"
            output = os.read(self._output, 4096).decode()
            assert output, f"ended before {expected!r}: {self.text!r}"
            self.text += output

    def end(self, *, interrupted: bool = False) -> int:
        if interrupted:
            self._process.send_signal(signal.SIGINT)
        self.text += self._process.communicate(timeout=TIMEOUT_S)[0].decode()
        return self._process.returncode


def test_teach_asks_for_each_missing_card_and_refuses_a_tag_in_use(state_folder: Path, reader: tuple[int, str]) -> None:
    tags, port = reader
    CardTags(state_folder / "deck.json").assign("04A0", PACK[0])
    for number, card in enumerate(PACK[4:], start=4):
        CardTags(state_folder / "deck.json").assign(f"04A{number}", card)
    with TeachProcess(port) as process:
        process.until("AH? ")
        os.write(tags, b"04A0\r\n")
        process.until("AH? ")
        assert "expected a new tag for AH, got the tag of AS" in process.text
        os.write(tags, b"04B1\r\n")
        process.until("AD? ")
        os.write(tags, b"04B2\r\n")
        process.until("AC? ")
        os.write(tags, b"04B3\r\n")
        assert process.end() == 0 and "52 of 52 cards are registered" in process.text
    cards = CardTags(state_folder / "deck.json").cards
    assert [str(cards[tag]) for tag in ("04A0", "04B1", "04B2", "04B3")] == ["AS", "AH", "AD", "AC"]


def test_interrupted_teach_goes_on_at_the_next_run(state_folder: Path, reader: tuple[int, str]) -> None:
    tags, port = reader
    with TeachProcess(port) as process:
        process.until("AS? ")
        os.write(tags, b"04A0\n")
        process.until("AH? ")
        assert process.end(interrupted=True) == 130 and "1 of 52 cards are registered" in process.text
    with TeachProcess(port) as second:
        second.until("AH? ")


def test_show_lists_registered_and_missing_cards(state_folder: Path) -> None:
    CardTags(state_folder / "deck.json").assign("04A1", parse_card("5H"))
    lines = deck("show").stdout.splitlines()
    assert lines[0] == "5H\t04A1" and lines[1].startswith("missing: AS AH") and "5H" not in lines[1]


def test_forget_removes_the_tag_of_a_card(state_folder: Path) -> None:
    CardTags(state_folder / "deck.json").assign("04A1", parse_card("5H"))
    assert deck("forget", "5h").exit_code == 0
    assert not CardTags(state_folder / "deck.json").cards
    wrong = deck("forget", "5X")
    assert wrong.exit_code == 1 and "expected a card such as 5H" in wrong.stderr


def test_teach_without_card_reader_says_how_to_name_one() -> None:
    result = deck("teach")
    assert result.exit_code == 1
    assert result.stderr.startswith(
        "card_reader: expected the port of a card reader, got none; name it: cribboard deck"
    )


def test_missing_port_gives_one_line(tmp_path: Path) -> None:
    result = deck("teach", "--card-reader", str(tmp_path / "reader"))
    assert result.exit_code == 1 and "no such file or directory. Plug it in" in result.stderr
    assert result.stderr.count("\n") == 1


def test_corrupt_file_of_tags_is_an_error(state_folder: Path) -> None:
    (state_folder / "deck.json").write_text("{")
    assert deck("show").stderr.startswith(f"{state_folder / 'deck.json'}: expected a file of card tags")
