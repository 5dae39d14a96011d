"""One file to send to whoever is to find out what went wrong. It tells of pegs, points and parts, and of nobody.

Of the journal only figures go in: every text is left out, and with the texts all cards, names and reasons.
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

from firmware_host.codec import encode
from firmware_host.faults import HostFault
from firmware_host.journal import Journal, JournalFault
from firmware_host.settings import Settings
from firmware_host.trace_log import FILE_NAME

PACKAGES = ("cribboard", "flask", "waitress", "gpiozero", "lgpio", "luma.oled", "pyserial", "pillow")
LATEST_TURNS = 200
TOLD = (
    *("board", "simulate", "port", "preset", "variant", "options", "scan_hz", "settle_s", "manner", "language"),
    *("oled", "lights_ma", "sound"),
)
"""The settings that go in. Names, addresses and folders stay at home, and so does whatever is not named here."""

READ_ME = """\
What a board tells of itself, to find a fault by. No card, no name, no token is in here.

versions.json       programs and machine
settings.json       how the board is set up, without names and addresses
journal.jsonl       the latest turns: what happened, with its figures and without its texts
{trace}    the holes as they read in the latest game: cribboard replay {trace}
doctor.jsonl        what cribboard doctor found
"""


def pack_report(settings: Settings, doctor: Iterable[Mapping[str, object]]) -> bytes:
    """The report as a ZIP. Whatever cannot be had is told in its place."""
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
    """A plan of the maker's own goes by its file's name: the folders above it may be called like people."""
    return {**{name: getattr(settings, name) for name in TOLD}, "board": Path(settings.board).name}


def versions() -> Mapping[str, str]:
    return {"python": sys.version, "machine": platform.platform(), **{name: _version(name) for name in PACKAGES}}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def journal_tail(path: Path) -> Iterator[Mapping[str, object]]:
    """The latest turns of the latest game, figures only."""
    try:
        journal = Journal.open_to_read(path)
        try:
            turns = journal.current_game()
        finally:
            journal.close()
    except JournalFault as fault:
        yield {"fault": f"{fault.expected}; got {fault.got}"}  # where it is would name a person's folder
        return
    first = max(0, len(turns) - LATEST_TURNS)
    for number, turn in enumerate(turns[first:], first):
        for event in turn:
            kind, _, body = encode(event)
            yield {"turn": number, "kind": kind, "body": figures(json.loads(body))}


def figures(body: object) -> object:
    """The same shape with every text left out."""
    match body:
        case dict():
            return {key: figures(value) for key, value in body.items() if not isinstance(value, str)}
        case list():
            return [figures(value) for value in body if not isinstance(value, str)]
        case _:
            return body


def _trace(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace")  # a bad card spoils a trace too
    except OSError as fault:
        return json.dumps({"fault": fault.strerror}) + "\n"


def _indented(what: Mapping[str, object]) -> str:
    return json.dumps(what, indent=2, default=_plain) + "\n"


def _lines(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record, default=_plain) + "\n" for record in records)


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)


def write_report(file: Path, report: bytes) -> None:
    """Raises HostFault. A file that is there already is left alone."""
    try:
        with file.open("xb") as out:
            out.write(report)
    except OSError as fault:
        got = fault.strerror or str(fault)
        raise HostFault("a new file that can be written", got, str(file), "name another with --out") from fault
