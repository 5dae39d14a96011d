"""A service with a damaged settings file starts with former or safe settings, and says what is wrong with it."""

from __future__ import annotations

import logging
import re
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from firmware_host import app
from firmware_host.board.peg_source import PegSource
from firmware_host.cli import main
from firmware_host.config.board_plans import load_plan
from firmware_host.config.kits import Kit
from firmware_host.config.settings import Settings
from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_record import keep_record
from firmware_host.config.settings_sources import Sources
from firmware_host.cribbage.rules import Seat
from firmware_host.errors import HostError
from firmware_host.game import commands as c
from firmware_host.host.health import SETTINGS
from firmware_host.host.parts.settings_warning import CHECK_S, QUIET_S
from firmware_host.startup.former_settings import settings_fault, start_in_terminal, start_of_service
from tests.reliability.test_flipped_settings import WRITTEN
from tests.simulation.stepped_host import RULES, SteppedHost

GOOD = 'names = ["Ann", "Zoë"]\nkit = "wood"\naddress = "0.0.0.0"\nport = 8085\n'
FAULTS = {
    "port = 8085": ("port = 808o5", 4, "port"),
    '"Zoë"]': ('"Zoë"', 2, "kit"),
    "port": ("prot", 4, "prot"),
    'kit = "wood"': ('kit = "wool"', 2, "kit"),
    "8085\n": ('8085\nboard = "none.toml"', 5, "board"),
    "8085": ('8085\nsimulate = true\nscanner = "auto"', 6, "scanner"),
}
"""What is replaced -> by what, and the line and the setting that are named then."""


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    file = tmp_path / "cribboard.toml"
    file.write_text(GOOD)
    return Sources(file, {"HOME": str(tmp_path)}, {"state_folder": str(tmp_path / "state")})


def start_well(sources: Sources) -> None:
    start = start_of_service(sources)
    assert not start.has_fault
    keep_record(start.settings, start.texts)


def damage(sources: Sources, part: str, by: str) -> None:
    sources.file.write_text(GOOD.replace(part, by))


@pytest.mark.parametrize("part", FAULTS)
def test_a_service_starts_with_the_settings_of_its_latest_good_start(sources: Sources, part: str) -> None:
    start_well(sources)
    by, line, name = FAULTS[part]
    damage(sources, part, by)
    start = start_of_service(sources)
    settings = start.settings
    assert start.has_fault
    assert (settings.names, settings.kit, settings.address, settings.port) == (("Ann", "Zoë"), "wood", "0.0.0.0", 8085)
    fault = settings_fault(sources)
    assert fault and (fault.line, fault.name) == (line, name)
    assert f"line {line}" in fault.sentence


def test_in_a_terminal_the_command_ends_and_names_the_line(sources: Sources) -> None:
    start_well(sources)
    damage(sources, "8085", "80850")
    with pytest.raises(
        SettingsError, match="line 4, port: expected a whole number from 1 to 65535, got 80850; correct"
    ):
        start_in_terminal(sources)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"port = ", b"[[["])
def test_without_a_copy_the_board_opens_no_network_and_simulates_nothing(sources: Sources, content: bytes) -> None:
    sources.file.write_bytes(content)
    settings = start_of_service(sources).settings
    assert settings.kit_in_use is Kit.DESK and settings.address == "127.0.0.1" and not settings.mqtt_host
    assert settings.parts.pegs is PegSource.BY_HAND and settings.parts.on_pins == ("keys", "display")


def test_a_lost_file_is_a_fault(sources: Sources) -> None:
    start_well(sources)
    sources.file.unlink()
    assert start_of_service(sources).settings.port == 8085


def test_changes_of_the_settings_page_count_unless_they_are_the_fault(sources: Sources) -> None:
    start_well(sources)
    changes = sources.changes_file
    changes.write_text("sound = false\n")
    damage(sources, "8085", "x")
    assert not start_of_service(sources).settings.sound
    sources.file.write_text(GOOD)
    changes.write_text("sound = 7\n")
    start = start_of_service(sources)
    assert start.has_fault and start.settings.sound


def test_a_fault_of_the_command_line_ends_the_start(sources: Sources) -> None:
    start_well(sources)
    with pytest.raises(SettingsError, match="--scan-hz"):
        start_of_service(replace(sources, overrides={**sources.overrides, "scan_hz": 1}))


def test_a_folder_in_the_damaged_file_is_found(tmp_path: Path) -> None:
    file = tmp_path / "cribboard.toml"
    sources = Sources(file, {"HOME": str(tmp_path)}, {})
    file.write_text(f'state_folder = "{tmp_path / "games"}"\nport = 8085\n')
    start_well(sources)
    file.write_text(file.read_text().replace("port", "prot"))
    settings = start_of_service(sources).settings
    assert settings.port == 8085 and settings.state_folder == tmp_path / "games"


def test_a_damaged_byte_anywhere_keeps_no_service_from_starting(sources: Sources) -> None:
    sources.file.write_text(WRITTEN)
    start_well(sources)
    content = bytearray(sources.file.read_bytes())
    for at in range(0, len(content), 7):
        sources.file.write_bytes(content[:at] + bytes([content[at] ^ 0x80]) + content[at + 1 :])
        start = start_of_service(sources)
        assert start.has_fault == bool(settings_fault(sources))
        assert start.settings.address == "0.0.0.0"


def test_the_display_says_it_until_the_file_is_right(sources: Sources, caplog: pytest.LogCaptureFixture) -> None:
    start_well(sources)
    damage(sources, "8085", "80850")
    host = host_of(sources)
    with caplog.at_level(logging.INFO):
        host.step()
        assert host.snapshot.prompt == "Fix settings: line 4 port"
        assert "line 4, port: expected" in host.health.faults[SETTINGS] and "line 4, port: expected" in caplog.text
        assert not host.snapshot.fault  # everybody can play
        host.submit(c.StartGame(RULES, ("Ann", "Ben"), dealer=Seat(0)))
        assert "settings" not in host.snapshot.prompt
        pass_time(host, QUIET_S + 1)
        assert host.snapshot.prompt == "Fix settings: line 4 port"
        sources.file.write_text(GOOD)
        pass_time(host, CHECK_S + 1)
    assert host.snapshot.prompt == "Settings are right. Restart the board." and SETTINGS not in host.health.faults
    assert "settings: recovered" in caplog.text


def host_of(sources: Sources) -> SteppedHost:
    host = SteppedHost(load_plan("classic-61"))
    host._context.setup = replace(host.setup, find_settings_fault=partial(settings_fault, sources))
    return host


def pass_time(host: SteppedHost, seconds: float) -> None:
    host.now_s += seconds
    host.step()


def test_the_doctor_names_the_fault_and_checks_the_former_settings(sources: Sources, tmp_path: Path) -> None:
    start_well(sources)
    damage(sources, "8085", "80850")
    arguments = ["doctor", "--settings", str(sources.file), "--state-folder", str(tmp_path / "state")]
    done = CliRunner().invoke(main, arguments)
    words = " ".join(done.output.split())
    assert done.exit_code == 1 and "kit wood" in words
    assert re.search("FAULT settings .*line 4, port: a whole number from 1 to 65535 got 80850 fix: Correct it", words)


def test_the_command_run_starts_as_a_service_and_ends_in_a_terminal(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to the point where the board would be opened."""
    start_well(sources)
    damage(sources, "8085", "80850")
    opened = dict[str, object]()

    def build_app(settings: Settings, **options: object) -> None:
        opened.update(options, port=settings.port)
        raise HostError("a board", "a test", "here", "end")

    monkeypatch.setattr(app, "build_app", build_app)
    arguments = ["run", "--settings", str(sources.file), "--state-folder", str(tmp_path / "state")]
    assert "line 4, port" in CliRunner().invoke(main, arguments).output and not opened
    done = CliRunner().invoke(main, arguments, env={"NOTIFY_SOCKET": str(tmp_path / "none")})
    assert "here: expected a board" in done.output
    assert opened["port"] == 8085 and opened["find_settings_fault"]
