"""Packs a bug report into one ZIP file, without cards, names, addresses or tokens.

Of the journal only numbers go in: every text is left out, and with the texts all cards, names and reasons.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from firmware_host.config.settings import Settings
from firmware_host.errors import HostError
from firmware_host.host.trace_log import FILE_NAME
from firmware_host.storage.event_codec import encode
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.storage.plain_file import read_file

PACKAGES = ("cribboard", "flask", "h11", "gpiozero", "lgpio", "luma.oled", "pyserial", "pillow")
LATEST_TURNS = 200
REPORTED_SETTINGS = (
    *("board", "kit", "pegs", "lights", "keys", "display", "simulate", "gpio"),
    *("port", "preset", "variant", "options", "scan_hz", "settle_s", "referee_mode", "language"),
    *("oled", "lights_ma", "sound"),
)
"""The settings that go in. A new setting stays out until it is listed here."""

READ_ME = """\
A bug report of a cribboard. It contains no card, no name and no token.

versions.json       versions of the programs and of the machine
settings.json       settings, without names and addresses
journal.jsonl       the latest turns: events with their numbers, without their texts
{trace}    sensor readings of the latest game; to replay them: cribboard replay {trace}
doctor.jsonl        findings of cribboard doctor
"""


def pack_report(settings: Settings, doctor: Iterable[Mapping[str, object]]) -> bytes:
    """The report as the bytes of a ZIP file. A part that cannot be read is replaced by its error; raises nothing."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as report:
        report.writestr("README.txt", READ_ME.format(trace=FILE_NAME))
        report.writestr("versions.json", _indented(versions()))
        report.writestr("settings.json", _indented(_settings(settings)))
        report.writestr("journal.jsonl", _lines(journal_tail(settings.journal)))
        report.writestr("doctor.jsonl", _lines(doctor))
        report.writestr(FILE_NAME, _trace(settings.state_folder / FILE_NAME))
    return packed.getvalue()


def _settings(settings: Settings) -> Mapping[str, object]:
    """Of a custom board plan only the file name: its folders may be named after a person."""
    return {**{name: getattr(settings, name) for name in REPORTED_SETTINGS}, "board": Path(settings.board).name}


def versions() -> Mapping[str, str]:
    """Name -> version of Python, of the machine and of PACKAGES."""
    return {"python": sys.version, "machine": platform.platform(), **{name: _version(name) for name in PACKAGES}}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def journal_tail(path: Path) -> Iterator[Mapping[str, object]]:
    """The last LATEST_TURNS turns of the latest game, one record per event, numbers only."""
    try:
        journal = Journal.open_readonly(path)
        try:
            turns = journal.current_game()
        finally:
            journal.close()
    except JournalError as fault:
        yield {"fault": f"{fault.expected}; got {fault.got}"}  # without `where`: the path may name a person
        return
    first = max(0, len(turns) - LATEST_TURNS)
    for number, turn in enumerate(turns[first:], first):
        for event in turn:
            kind, _, body = encode(event)
            yield {"turn": number, "kind": kind, "body": numbers_of(json.loads(body))}


def numbers_of(body: object) -> object:
    """A JSON value without its texts; the shape stays."""
    match body:
        case dict():
            return {key: numbers_of(value) for key, value in body.items() if not isinstance(value, str)}
        case list():
            return [numbers_of(value) for value in body if not isinstance(value, str)]
        case _:
            return body


def _trace(path: Path) -> str:
    try:
        return read_file(path).decode("utf-8", "replace")  # a corrupt card can corrupt a trace too
    except OSError as fault:
        return json.dumps({"fault": fault.strerror}) + "\n"


def _indented(what: Mapping[str, object]) -> str:
    return json.dumps(what, indent=2, default=_plain) + "\n"


def _lines(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record, default=_plain) + "\n" for record in records)


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)


def write_report(file: Path, report: bytes) -> None:
    """Write a new file. Raises HostError if it exists or cannot be written."""
    try:
        with file.open("xb") as out:
            out.write(report)
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise HostError("a new file that can be written", got, str(file), "name another with --out") from fault
