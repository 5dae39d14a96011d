"""All that reads what comes from outside, each as a function of bytes: it takes them, or refuses in its own words.

Whatever else is raised is a finding; so is an answer that does not hold what is asserted here. `hunt.py` lets a fuzzer
look for such bytes, `test_targets.py` tries random ones every day.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, replace
from io import BytesIO
from itertools import chain
from threading import TIMEOUT_MAX

from board_drivers.card_reader import LONGEST_TAG, TagLines
from board_drivers.hole_scan import Frame, FrameDecoder, Kind, decode, encode
from board_drivers.misbehaving import MisbehavingSensors
from board_drivers.ports import DriverFault
from board_drivers.scanner_talk import ScannerTalk
from firmware_host import codec
from firmware_host.board.audit import audit
from firmware_host.board.facts import PlanError
from firmware_host.board.plan import parse_plan
from firmware_host.cli import count as count_command
from firmware_host.cli import play as play_command
from firmware_host.cli.lines import reply_to
from firmware_host.cli.referee import hear, in_words
from firmware_host.cli.replay import as_record, as_sentence, told
from firmware_host.cli.trace import Trace, TraceBroken
from firmware_host.codec import EVENTS, CodecError
from firmware_host.cribbage.cards import no_duplicates, parse_cards
from firmware_host.cribbage.options import OPTIONS
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.variants import VARIANTS
from firmware_host.deck import deck_in
from firmware_host.faults import HostFault
from firmware_host.mischief import KINDS, parse_mischief
from firmware_host.phones import NOT_A_BOOK, PhoneBook, phones_in
from firmware_host.plans import load_plan
from firmware_host.record import BACK_AND_FORTH, ORDERS, Referee
from firmware_host.settings import SENTENCES, Layer, SettingsFault, parse_environment, parse_toml, settings_of
from tests.fuzz.on_disk import ON_DISK
from tests.fuzz.on_the_web import ON_THE_WEB
from tests.fuzz.target import CARDS, JSON, TOML, Target, text_of

BOARD = load_plan("classic-61")
STRIPS = 25
USUAL = Layer({"state_folder": "/nowhere"}, str)


def cards(given: bytes) -> None:
    """What a person types as cards reads back from how it is shown."""
    read = parse_cards(text_of(given), rank_only=True)
    assert parse_cards(" ".join(map(str, read)), rank_only=True) == read
    no_duplicates(read)


def hands(given: bytes) -> None:
    """Lines of `cribboard count --jsonl`: each has its answer."""
    for line in BytesIO(given):
        assert json.dumps(reply_to(line, count_command.answer))


def series(given: bytes) -> None:
    """Lines of `cribboard play --jsonl`."""
    for line in BytesIO(given):
        assert json.dumps(reply_to(line, play_command.answer))


def record(given: bytes) -> None:
    """A game record: each line is answered, and one that is refused changes nothing."""
    referee, table = Referee(), None
    for number, line in enumerate(BytesIO(given), start=1):
        answer = hear(referee, line)
        assert json.dumps(answer.as_json(number)) and in_words(number, answer)
        assert not answer.refused or answer.table == table
        table = answer.table


def trace(given: bytes) -> None:
    """Recorded pegs, read as the board would read them."""
    recorded = Trace(BytesIO(given))
    for at_s, reading in told(recorded.header, recorded):
        assert as_sentence(at_s, reading)
        json.dumps(as_record(at_s, reading))


def settings(given: bytes) -> None:
    """A settings file."""
    settings_of(USUAL, Layer(parse_toml(text_of(given), "file"), str))


def environment(given: bytes) -> None:
    """Variables, one a line."""
    named = (line.partition("=") for line in text_of(given).split("\n"))
    settings_of(USUAL, Layer(parse_environment({name: value for name, _, value in named}), str))


def plan(given: bytes) -> None:
    """A maker's own plan of a board."""
    audit(parse_plan(text_of(given)))


def mischief(given: bytes) -> None:
    """A plan of troubles, and what they do at once."""
    planned = replace(parse_mischief(text_of(given), BOARD), since_start=lambda: 1.0, pause=_at_least_nothing)
    planned.time_of_day()
    with suppress(DriverFault):
        MisbehavingSensors(BOARD.bit_count, planned.on_wire, planned.since_start, planned.on_cable).scan()
    with suppress(sqlite3.OperationalError):
        planned.trouble_disk()


def frames(given: bytes) -> None:
    """Bytes from a scanner: the same frames however they are cut up, and nothing that breaks the talk."""
    whole, by_byte = FrameDecoder(), FrameDecoder()
    read = list(whole.feed(given))
    assert list(chain.from_iterable(by_byte.feed(bytes([byte])) for byte in given)) == read
    assert by_byte.spoiled == whole.spoiled
    assert [decode(encode(frame)[:-1]) for frame in read] == read
    talk = ScannerTalk(STRIPS, 0.0)
    talk.take(given, 0.1)
    assert talk.fault(0.1) or len(talk.state) == STRIPS


def sealed_frames(given: bytes) -> None:
    """The same with a true CRC on each frame, which no fuzzer guesses: a length byte, then kind, sequence, payload."""
    told, rest = b"", given
    while len(rest) > 2:
        length, rest = rest[0] % 193, rest[1:]
        body, rest = rest[: length + 2], rest[length + 2 :]
        if len(body) >= 2:
            told += encode(Frame(body[0], body[1], body[2:]))
    frames(told)


def row(given: bytes) -> None:
    """A row of the journal: which kind, which version, and the body."""
    if len(given) < 2:
        return
    kind = tuple(EVENTS)[given[0] % len(EVENTS)]
    event = codec.decode(kind, given[1] % 4, given[2:].decode("utf-8", "replace"))  # SQLite gives out sound text only
    assert codec.decode(*codec.encode(event)) == event


def tags(given: bytes) -> None:
    """A reader of tagged cards, ten bytes at a time."""
    lines = TagLines()
    for start in range(0, len(given), 10):
        assert all(0 < len(tag) <= LONGEST_TAG for tag in lines.feed(given[start : start + 10], start / 100))


def deck(given: bytes) -> None:
    """The file of the tagged deck."""
    deck_in(text_of(given))


def phones(given: bytes) -> None:
    """The file of the phones that were let in: whoever is in it can be asked for a token."""
    book = PhoneBook()
    book.phones = phones_in(text_of(given), "file")
    try:
        book.holder_of("a token")
    except TypeError as fault:
        raise AssertionError("a phone that nobody can be compared with") from fault


def _at_least_nothing(seconds: float) -> None:
    """As `sleep` takes it, without waiting."""
    if not 0 <= seconds <= TIMEOUT_MAX:
        raise ValueError(f"nobody sleeps {seconds} s")


_GAME = ("variant", "options", "players", *VARIANTS, *(option.name for option in OPTIONS))
_FIELDS = sorted({field.name for event in EVENTS.values() for field in fields(event)})

TARGETS: Mapping[str, Target] = {
    target.name: target
    for target in (
        Target(cards, (Refusal,), CARDS),
        Target(hands, (), (*JSON, *CARDS, "cards", "starter", "crib", *_GAME)),
        Target(series, (), (*JSON, *CARDS, "cards", "new_count_at")),
        Target(record, (), (*JSON, *CARDS, "record", *BACK_AND_FORTH, *ORDERS, "seats", "dealer", *_GAME)),
        Target(trace, (TraceBroken,), (*JSON, "board", "tracks", "target", "pegs", "S1", "S2", BOARD.id, "1e15")),
        Target(settings, (SettingsFault,), (*TOML, *SENTENCES, *_GAME)),
        Target(environment, (SettingsFault,), ("=", "\n", *(f"CRIBBOARD_{name.upper()}=" for name in SENTENCES))),
        Target(plan, (PlanError,), (*TOML, "tracks", "course", "lap", "rows", "holes", "across", "S1", "game", "..")),
        Target(mischief, (PlanError,), (*TOML, "[[trouble]]\n", "kind", *KINDS, "from_s", "for_s", "every_s", "by_s")),
        Target(frames, (), tuple(map(chr, Kind))),
        Target(sealed_frames, (), tuple(map(chr, Kind))),
        Target(row, (CodecError,), (*JSON, *CARDS, *_FIELDS)),
        Target(tags, (), ("\r\n", "\x02", "\x03")),
        Target(deck, (ValueError, RecursionError, Refusal), (*JSON, *CARDS, "deck", "tags")),
        Target(phones, (HostFault, *NOT_A_BOOK), (*JSON, "format", "phones", "role", "seat", "token_hash")),
        *ON_DISK,
        *ON_THE_WEB,
    )
}
