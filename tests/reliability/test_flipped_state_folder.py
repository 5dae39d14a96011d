"""One flipped bit in any file of a state folder: the board starts, and finds what it had, or says what it lost.

The files are those that a folder has after an evening, whatever they are called: a file of a new kind is tried too.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import copytree, rmtree

import pytest
from msgspec import Struct

from firmware_host import app
from firmware_host.config.settings import Settings
from firmware_host.config.settings_record import keep_record
from firmware_host.config.settings_sources import Sources
from firmware_host.pairing.registry import PhoneRegistry, Role
from firmware_host.startup.own_user import settings_at_start
from firmware_host.storage.recovery import open_or_recover
from tests.conftest import SUMMARY_LINE
from tests.golden.make_journal import turns
from tests.reliability.test_corruption import rows_in
from tests.reliability.test_first_page import LAST
from tests.reliability.test_flipped_files import FILES, flipped
from web_panel.security.identity import COOKIE

WRITTEN = 'kit = "page"\nhttps = true\nvoice = false\n'
PAGES = ("/history", "/player?name=P0", "/settings")
EXPECTED = {"journal.sqlite3", "journal.spare.sqlite3", "figures.sqlite3", "https/authority.pem", "templates/"}
"""Some of the files, to see that the evening was a full one."""
BITS = 5


class SilentVoice(Struct):
    """In place of the voice, whose thread takes half a second to end."""

    fault: str = ""

    def stop(self) -> None:
        """Nothing to end."""


class Evening:
    """A state folder, and how a start sees it."""

    def __init__(self, folder: Path) -> None:
        self.state, self.kept = folder / "state", folder / "kept"
        file = folder / "cribboard.toml"
        file.write_text(WRITTEN)
        self.sources = Sources(file, {}, {"state_folder": str(self.state)})
        with closing(open_or_recover(self.state / "journal.sqlite3").journal) as journal:
            for turn in turns()[:LAST]:
                journal.append(turn)
        for kind in FILES:
            kind.write(self.state / kind.name)
        phone, self._token = PhoneRegistry(self.state / "phones.json").add_phone("Olga")
        PhoneRegistry(self.state / "phones.json").set_role(phone.id, Role.OWNER)
        (self.state / "cribboard.toml").unlink()
        self.start()
        self.before = self.start()
        copytree(self.state, self.kept)
        self.files = sorted(each.relative_to(self.kept) for each in self.kept.rglob("*") if each.is_file())

    def start(self) -> dict[str, object]:
        """What a start finds, and what its pages show."""
        settings = settings_at_start(self.sources)
        running = app.build_app(settings, sources=self.sources)
        try:
            keep_record(settings)
            client = running.panel.test_client()
            client.set_cookie(COOKIE, self._token, domain="localhost")
            pages = {path: client.get(path, base_url="https://localhost").text for path in PAGES}
        finally:
            running.stop()
            running.host._context.game._journal.close()
            running.server.close()
        return {**pages, **self.read(settings)}

    def read(self, settings: Settings) -> dict[str, object]:
        return {"games": rows_in(settings.journal), **{kind.name: kind.start(self.state / kind.name) for kind in FILES}}

    def start_with_flipped(self, file: Path, bit: int) -> list[str]:
        """The names of what is not as it was."""
        used = self.state.rename(self.state.with_name("used"))
        rmtree(used, ignore_errors=True)  # a thread of the last start may still write there
        copytree(self.kept, self.state, dirs_exist_ok=True)
        (self.state / file).write_bytes(flipped((self.state / file).read_bytes(), bit))
        found = self.start()
        return [name for name, before in self.before.items() if found[name] != before]


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    monkeypatch.setattr(app, "voice_of", lambda host, settings_editor: SilentVoice())
    monkeypatch.setattr(app, "withdrawal_of", lambda settings: None)  # no broker is called
    return Evening(tmp_path)


def silent(evening: Evening, files: Iterable[Path], caplog: pytest.LogCaptureFixture, bits: int) -> Iterator[str]:
    """The files and bits that change something without a word."""
    caplog.set_level(logging.WARNING)
    for file in files:
        random, size = Random(str(file)), 8 * (evening.kept / file).stat().st_size
        for bit in random.sample(range(size), min(bits, size)):
            caplog.clear()
            changed = evening.start_with_flipped(file, bit)
            if changed and not caplog.text:
                yield f"{file}, bit {bit}: {changed}"


def test_a_flipped_bit_of_any_file_is_harmless_or_told(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    names = "\n".join(map(str, evening.files))
    assert all(name in names for name in (*EXPECTED, *(kind.name for kind in FILES)))
    known = {kind.name for kind in FILES}  # tried in test_flipped_files
    files = [file for file in evening.files if file.name.removesuffix(".copy") not in known]
    files = [file for file in files if file.parent.name != "templates"]
    assert list(silent(evening, files, caplog, 1)) == []


@pytest.mark.slow
def test_flipped_bits_of_every_file_are_harmless_or_told(
    evening: Evening, caplog: pytest.LogCaptureFixture, record_property: Callable[[str, object], None]
) -> None:
    assert list(silent(evening, evening.files, caplog, BITS)) == []
    record_property(SUMMARY_LINE, f"{BITS} flipped bits of each of {len(evening.files)} files")
