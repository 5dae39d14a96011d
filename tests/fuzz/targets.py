"""The fuzz targets: everything that reads untrusted input, each as a function of bytes.

A target reads its input or refuses it with a declared exception. Any other exception is a bug, and so is an assertion
that fails here. `run_fuzzer.py` searches for such inputs; `test_targets.py` tries random ones with every test run.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from itertools import chain
from threading import TIMEOUT_MAX

from msgspec.structs import fields, replace

from board_drivers.card_reader import MAX_TAG_LENGTH, TagLines
from board_drivers.fault_injection import FaultySensors
from board_drivers.ports import DriverError
from board_drivers.scan_protocol import Frame, FrameDecoder, Kind, decode, encode
from board_drivers.scanner_session import ScannerSession
from firmware_host.board.audit import audit
from firmware_host.board.plan import parse_plan
from firmware_host.board.plan_reader import PlanError
from firmware_host.cli import count as count_command
from firmware_host.cli import engine as engine_command
from firmware_host.cli import play as play_command
from firmware_host.cli.jsonl import reply_to
from firmware_host.cli.referee import answer_to
from firmware_host.cli.replay import as_record, as_sentence, readings_of
from firmware_host.cli.scorekeeper import in_words
from firmware_host.cli.trace import Trace, TraceError
from firmware_host.config.board_plans import load_plan
from firmware_host.config.card_tags import parse_card_tags
from firmware_host.config.settings import SENTENCES
from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_sources import Layer, parse_environment, parse_toml, settings_of
from firmware_host.cribbage.cards import no_duplicates, parse_cards
from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.errors import HostError
from firmware_host.game.record import Referee
from firmware_host.game.record_lines import LINE_READERS, UNDO_COMMANDS
from firmware_host.pairing.registry import PARSE_ERRORS, PhoneRegistry, parse_phones
from firmware_host.simulation.fault_plan import KINDS, parse_fault_plan
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage import event_codec
from firmware_host.storage.document_file import DocumentError
from firmware_host.storage.event_codec import EVENTS, CodecError
from firmware_host.strategy.engine import Level
from tests.fuzz.file_targets import ON_DISK
from tests.fuzz.target import CARDS, JSON, TOML, Target, text_of
from tests.fuzz.web_targets import ON_THE_WEB

BOARD = load_plan("classic-61")
STRIPS = 25
DEFAULTS = Layer({"state_folder": "/nowhere"}, str)


def cards(data: bytes) -> None:
    """Cards as typed. What is read must read back from its printed form."""
    read = parse_cards(text_of(data), rank_only=True)
    assert parse_cards(" ".join(map(str, read)), rank_only=True) == read
    no_duplicates(read)


def count_jsonl(data: bytes) -> None:
    """Lines of `cribboard count --jsonl`; each must have an answer."""
    for line in BytesIO(data):
        assert json.dumps(reply_to(line, count_command.CountLine, count_command.answer, count_command.EXAMPLE))


def play_jsonl(data: bytes) -> None:
    """Lines of `cribboard play --jsonl`; each must have an answer."""
    for line in BytesIO(data):
        assert json.dumps(reply_to(line, play_command.PlayLine, play_command.answer, play_command.EXAMPLE))


def engine_jsonl(data: bytes) -> None:
    """JSON Lines for the engine. A bad line is answered by an error."""
    for number, line in enumerate(BytesIO(data), start=1):
        with suppress(Refusal):
            assert json.dumps(engine_command.answer(line, number, Level.BEGINNER))


def game_record(data: bytes) -> None:
    """A game record. Each line is answered; a refused one changes nothing."""
    referee, table = Referee(), None
    for number, line in enumerate(BytesIO(data), start=1):
        answer = answer_to(referee, line)
        assert json.dumps(answer.as_json(number)) and in_words(number, answer)
        assert not answer.refused or answer.table == table
        table = answer.table


def peg_trace(data: bytes) -> None:
    """A trace of sensor readings, read as by the board."""
    recorded = Trace(BytesIO(data))
    for at_s, reading in readings_of(recorded.header, recorded):
        assert as_sentence(at_s, reading)
        json.dumps(as_record(at_s, reading))


def settings_file(data: bytes) -> None:
    """A settings file."""
    settings_of(DEFAULTS, Layer(parse_toml(text_of(data), "file"), str))


def environment(data: bytes) -> None:
    """Environment variables, one per line."""
    named = (line.partition("=") for line in text_of(data).split("\n"))
    settings_of(DEFAULTS, Layer(parse_environment({name: value for name, _, value in named}), str))


def board_plan(data: bytes) -> None:
    """A custom board plan."""
    audit(parse_plan(text_of(data)))


def fault_plan(data: bytes) -> None:
    """A fault plan, and what its faults do at once."""
    planned = replace(parse_fault_plan(text_of(data), BOARD), since_start=lambda: 1.0, pause=_check_pause)
    planned.time_of_day()
    with suppress(DriverError):
        FaultySensors(BOARD.bit_count, planned.on_wire, planned.since_start, planned.on_cable).scan()
    with suppress(sqlite3.OperationalError):
        planned.apply_disk_faults()


def scanner_frames(data: bytes) -> None:
    """Bytes from a scanner. The frames must not depend on how the bytes are split."""
    whole, by_byte = FrameDecoder(), FrameDecoder()
    read = list(whole.feed(data))
    assert list(chain.from_iterable(by_byte.feed(bytes([byte])) for byte in data)) == read
    assert by_byte.corrupt_frames == whole.corrupt_frames
    assert [decode(encode(frame)[:-1]) for frame in read] == read
    session = ScannerSession(STRIPS, 0.0)
    session.receive(data, 0.1)
    assert session.fault(0.1) or len(session.state) == STRIPS


def scanner_frames_with_crc(data: bytes) -> None:
    """The same with a valid CRC, which no fuzzer guesses. Per frame: a length byte, then kind, sequence and payload."""
    framed, rest = b"", data
    while len(rest) > 2:
        length, rest = rest[0] % 193, rest[1:]
        body, rest = rest[: length + 2], rest[length + 2 :]
        if len(body) >= 2:
            framed += encode(Frame(body[0], body[1], body[2:]))
    scanner_frames(framed)


def journal_row(data: bytes) -> None:
    """A row of the journal: a byte for the kind, one for the version, and the body."""
    if len(data) < 2:
        return
    kind = tuple(EVENTS)[data[0] % len(EVENTS)]
    event = event_codec.decode(kind, data[1] % 4, data[2:].decode("utf-8", "replace"))
    assert event_codec.decode(*event_codec.encode(event)) == event


def tag_reader(data: bytes) -> None:
    """Bytes from a reader of tagged cards, ten at a time."""
    lines = TagLines()
    for start in range(0, len(data), 10):
        assert all(0 < len(tag) <= MAX_TAG_LENGTH for tag in lines.feed(data[start : start + 10], start / 100))


def card_tags_file(data: bytes) -> None:
    """The file of the card tags."""
    parse_card_tags(text_of(data))


def phones_file(data: bytes) -> None:
    """The file of the paired phones. A token must be comparable with every phone that is read."""
    registry = PhoneRegistry()
    registry.phones = parse_phones(text_of(data), "file")
    try:
        registry.phone_with_token("a token")
    except TypeError as fault:
        raise AssertionError("a phone whose token cannot be compared") from fault


def people_file(data: bytes) -> None:
    """The file of merged names. What is read can be written, and is read again the same."""
    people = PeopleFile.parse(text_of(data), "file")
    assert PeopleFile.parse(PeopleFile.text_of(people).encode().decode(), "file") == people


def _check_pause(seconds: float) -> None:
    """In place of `sleep`: checks the argument and does not wait."""
    if not 0 <= seconds <= TIMEOUT_MAX:
        raise ValueError(f"expected 0 to {TIMEOUT_MAX} s, got {seconds}")


_GAME = ("variant", "options", "players", *VARIANTS, *(option.name for option in OPTIONS))
_FIELDS = sorted({field.name for event in EVENTS.values() for field in fields(event)})

TARGETS: Mapping[str, Target] = {
    target.name: target
    for target in (
        Target(cards, (Refusal,), CARDS),
        Target(count_jsonl, (), (*JSON, *CARDS, "cards", "starter", "crib", *_GAME)),
        Target(play_jsonl, (), (*JSON, *CARDS, "cards", "new_count_at")),
        Target(engine_jsonl, (), (*JSON, *CARDS, "ask", "discard", "play", "dealt", "hand", "played", "crib", *_GAME)),
        Target(game_record, (), (*JSON, *CARDS, "record", *UNDO_COMMANDS, *LINE_READERS, "seats", "dealer", *_GAME)),
        Target(peg_trace, (TraceError,), (*JSON, "board", "tracks", "target", "pegs", "S1", "S2", BOARD.id, "1e15")),
        Target(settings_file, (SettingsError,), (*TOML, *SENTENCES, *_GAME)),
        Target(environment, (SettingsError,), ("=", "\n", *(f"CRIBBOARD_{name.upper()}=" for name in SENTENCES))),
        Target(
            board_plan, (PlanError,), (*TOML, "tracks", "course", "lap", "rows", "holes", "across", "S1", "game", "..")
        ),
        Target(fault_plan, (PlanError,), (*TOML, "[[fault]]\n", "kind", *KINDS, "from_s", "for_s", "every_s", "by_s")),
        Target(scanner_frames, (), tuple(map(chr, Kind))),
        Target(scanner_frames_with_crc, (), tuple(map(chr, Kind))),
        Target(journal_row, (CodecError,), (*JSON, *CARDS, *_FIELDS)),
        Target(tag_reader, (), ("\r\n", "\x02", "\x03")),
        Target(card_tags_file, (ValueError, RecursionError, Refusal), (*JSON, *CARDS, "deck", "tags")),
        Target(phones_file, (HostError, *PARSE_ERRORS), (*JSON, "format", "phones", "role", "seat", "token_hash")),
        Target(people_file, (DocumentError,), (*JSON, "format", "people", "Ann", "ann ")),
        *ON_DISK,
        *ON_THE_WEB,
    )
}
