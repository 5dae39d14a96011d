"""Settings from the file, the environment and the command line, and the error for each bad value."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import fields

from board_drivers import serial_scanner
from board_drivers.oled import CHIPS
from firmware_host.config.board_plans import plan_ids
from firmware_host.config.settings import AUTO, OLEDS, SENTENCES, Settings
from firmware_host.config.settings_errors import SettingsError
from firmware_host.config.settings_sources import load_settings, rule_warnings, sources_of
from firmware_host.cribbage.variants import PRESETS, options_of, rules_for

ADDRESS_EXPECTED = "localhost, or an address of this computer, such as 127.0.0.1, or 0.0.0.0 for all it has"
HOST_NAMES_EXPECTED = "names or addresses as in the panel's address, such as cards.local, without http:// and port"
HOME = {"HOME": "/home/red"}


def with_file(folder: Path, text: str | bytes) -> Path:
    file = folder / "cribboard.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def load(
    file: Path | None = None, environ: Mapping[str, str] | None = None, overrides: Mapping[str, object] | None = None
) -> Settings:
    return load_settings(file, HOME | dict(environ or {}), overrides or {})


def fault_of(
    file: Path | None = None, environ: Mapping[str, str] | None = None, overrides: Mapping[str, object] | None = None
) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        load(file, environ, overrides)
    fault = caught.value
    assert "\n" not in str(fault)
    assert fault.expected and fault.got and fault.where and fault.fix
    return fault


def test_defaults_are_a_simulated_board_on_this_computer() -> None:
    settings = load()
    assert settings.simulate and settings.board in plan_ids()
    assert (settings.address, settings.port) == ("127.0.0.1", 8080)
    assert settings.journal == Path("/home/red/.local/state/cribboard/journal.sqlite3")
    assert settings.rules == PRESETS["family"].rules()


def test_every_setting_has_a_sentence() -> None:
    assert set(SENTENCES) == {each.name for each in fields(Settings)}
    assert all(sentence.endswith(".") and "\n" not in sentence for sentence in SENTENCES.values())


def test_oled_choices_are_the_chips_of_the_driver() -> None:
    assert OLEDS == CHIPS


def test_auto_is_the_same_word_in_settings_and_driver() -> None:
    assert AUTO == serial_scanner.AUTO


def test_default_values_pass_their_own_checks() -> None:
    defaults = load()
    given = {each.name: getattr(defaults, each.name) for each in fields(Settings)}
    assert load(overrides=given) == defaults


# Precedence


def test_command_line_overrides_environment_overrides_file(tmp_path: Path) -> None:
    file = with_file(tmp_path, "port = 1\nscan_hz = 20\nsettle_s = 1")
    settings = load(file, {"CRIBBOARD_PORT": "2", "CRIBBOARD_SCAN_HZ": "30"}, {"port": 3, "board": None})
    assert (settings.port, settings.scan_hz, settings.settle_s) == (3, 30, 1.0)
    assert settings.board == load().board


def test_options_of_all_sources_are_merged(tmp_path: Path) -> None:
    file = with_file(tmp_path, 'preset = "pub"\n[options]\ncrib_flush = "four_ok"\nrenege = "acc"')
    settings = load(file, overrides={"options": {"renege": "two_flat", "target": "121"}})
    options = {"muggins_mode": "claim", "muggins_scope": "show", "crib_flush": "four_ok", "renege": "two_flat"}
    assert settings.rules == rules_for("six_card", options)


def test_variant_overrides_that_of_the_preset() -> None:
    settings = load(environ={"CRIBBOARD_PRESET": "acc", "CRIBBOARD_VARIANT": "seven_card"})
    assert settings.rules == rules_for("seven_card", PRESETS["acc"].options)


def test_variables_of_the_league_are_no_settings() -> None:
    load(environ={"CRIBBOARD_LEAGUE": "postgresql:///cribboard", "CRIBBOARD_LEAGUE_REPLICA": "pg_receivewal"})


@pytest.mark.parametrize(
    ("variable", "text", "setting", "value"),
    [
        ("CRIBBOARD_BOARD", "continuous-121-2", "board", "continuous-121-2"),
        ("CRIBBOARD_BOARD", "boards/mine.toml", "board", "boards/mine.toml"),
        ("CRIBBOARD_SIMULATE", "false", "simulate", False),
        ("CRIBBOARD_CARD_READER", "/dev/serial/by-id/usb-rfid", "card_reader", "/dev/serial/by-id/usb-rfid"),
        ("CRIBBOARD_CARD_READER_BAUD", "115200", "card_reader_baud", 115200),
        ("CRIBBOARD_OLED", "ssd1309", "oled", "ssd1309"),
        ("CRIBBOARD_ADDRESS", "::1", "address", "::1"),
        ("CRIBBOARD_NAMES", "red, blue", "names", ("red", "blue")),
        ("CRIBBOARD_NAMES", '["Зоя", "blue"]', "names", ("Зоя", "blue")),
        ("CRIBBOARD_OPTIONS", "{target = 61}", "options", {"target": 61}),
        ("CRIBBOARD_SETTLE_S", "0.5", "settle_s", 0.5),
        ("CRIBBOARD_STATE_FOLDER", "/var/lib/cribboard", "state_folder", Path("/var/lib/cribboard")),
        ("CRIBBOARD_PORT", "", "port", 8080),
        ("CRIBBOARDER", "not ours", "port", 8080),
        ("XDG_STATE_HOME", "/state", "state_folder", Path("/state/cribboard")),
        ("XDG_STATE_HOME", "relative", "state_folder", Path("/home/red/.local/state/cribboard")),
    ],
)
def test_environment_variables_set_settings(variable: str, text: str, setting: str, value: object) -> None:
    assert getattr(load(environ={variable: text}), setting) == value


def test_the_users_file_is_read_by_default(tmp_path: Path) -> None:
    (tmp_path / "cribboard").mkdir()
    with_file(tmp_path / "cribboard", "port = 9000")
    assert load(environ={"XDG_CONFIG_HOME": str(tmp_path)}).port == 9000
    assert load(environ={"XDG_CONFIG_HOME": str(tmp_path / "elsewhere")}).port == 8080


def test_a_file_with_byte_order_mark_and_crlf_is_read(tmp_path: Path) -> None:
    assert load(with_file(tmp_path, b"\xef\xbb\xbfport = 9000\r\nnames = ['Zo\xc3\xab']\r\n")).names == ("Zoë",)


# Bad values


@pytest.mark.parametrize(
    ("line", "expected", "got"),
    [
        ('port = "8080"', "a whole number from 1 to 65535", "'8080'"),
        ("port = 0", "a whole number from 1 to 65535", "0"),
        ("port = true", "a whole number from 1 to 65535", "True"),
        ("simulate = 1", "true or false", "1"),
        ("settle_s = nan", "a number from 0.05 to 5.0", "nan"),
        ("settle_s = true", "a number from 0.05 to 5.0", "True"),
        ("address = 'here'", ADDRESS_EXPECTED, "'here'"),
        ("address = 5", ADDRESS_EXPECTED, "5"),
        ("names_on_lan = 'http://cards.local'", HOST_NAMES_EXPECTED, "'http://cards.local'"),
        ("names_on_lan = ['cards.local:8080']", HOST_NAMES_EXPECTED, "['cards.local:8080']"),
        ("names = ['red', '']", "at most 6 names of 1 to 10 letters", "['red', '']"),
        ("names = ['red', 7]", "at most 6 names of 1 to 10 letters", "['red', 7]"),
        ("names = 'a,b,c,d,e,f,g'", "at most 6 names of 1 to 10 letters", "'a,b,c,d,e,f,g'"),
        ("scanner = 'usb'", "none, auto, or a port such as /dev/serial/by-id/usb-...", "'usb'"),
        ("scanner = true", "none, auto, or a port such as /dev/serial/by-id/usb-...", "True"),
        ("card_reader = 'auto'", "none, or a port such as /dev/serial/by-id/usb-...", "'auto'"),
        ("card_reader_baud = 9601", "one of 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200", "9601"),
        ("oled = true", "one of sh1106, ssd1306, ssd1309", "True"),
        ("lights_ma = 0", "a whole number from 100 to 10000", "0"),
        ("preset = 'club'", "one of family, acc, pub, traditional, kitchen", "'club'"),
        ("options = 'target'", "a table of options, such as {muggins_mode = 'claim'}", "'target'"),
        ("state_folder = ' '", "the path of a folder", "' '"),
        ("state_folder = '~nobody-of-that-name/x'", "the path of a folder", "'~nobody-of-that-name/x'"),
    ],
)
def test_a_bad_value_is_reported_with_its_place(tmp_path: Path, line: str, expected: str, got: str) -> None:
    file = with_file(tmp_path, line)
    fault = fault_of(file)
    assert (fault.expected, fault.got) == (expected, got)
    assert fault.where == f"{file}, line 1, {line.split()[0]}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scanner = 'auto'", "scanner: expected simulate = false, got simulate = true"),
        ("simulate = false\ngpio = false", "gpio: expected a scanner to read the pegs, got scanner = none"),
    ],
)
def test_scanner_gpio_and_simulate_must_fit_together(tmp_path: Path, text: str, message: str) -> None:
    assert message in str(fault_of(with_file(tmp_path, text)))


def test_an_unknown_board_is_reported_with_the_known_ones() -> None:
    assert ", ".join(plan_ids()) in fault_of(environ={"CRIBBOARD_BOARD": "classic-62"}).expected


def test_an_unknown_setting_is_reported_with_the_nearest_one(tmp_path: Path) -> None:
    assert fault_of(with_file(tmp_path, "prot = 1")).fix == "did you mean port?"
    assert "there are state_folder, board," in fault_of(with_file(tmp_path, "zzz = 1")).fix


def test_the_place_is_the_variable_or_the_option() -> None:
    assert fault_of(environ={"CRIBBOARD_SCAN_HZ": "fast"}).where == "CRIBBOARD_SCAN_HZ"
    assert fault_of(overrides={"scan_hz": 5}).where == "--scan-hz"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("preset = 'pub'\nvariant = 'five_card'\n[options]\nplayers = 3", "expected 2 players"),
        ("[options]\nmuggins = 'claim'", "expected one of target, players"),
        ("[options]\nrenege = 'beer'", "got 'beer'"),
    ],
)
def test_bad_house_rules_are_reported_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    file = with_file(tmp_path, text)
    fault = fault_of(file)
    assert f"{file}, line {text[: text.index('[options]')].count(chr(10)) + 1}, options" in fault.where
    assert message in str(fault)


@pytest.mark.parametrize(
    ("text", "left", "warnings"),
    [
        (
            "[options]\nmuggins_scope = 'show'\ncrib_flush = 'four_ok'",
            {"crib_flush": "four_ok"},
            ["muggins_scope=show changes nothing beside muggins_mode=off; choose muggins_mode=claim or automatic, or"],
        ),
        (
            "[options]\nlowball = true\nrenege = 'acc'",
            {"lowball": True},
            ["renege=acc contradicts lowball=on; choose lowball=off, or leave renege out"],
        ),
        ("preset = 'pub'\n[options]\nmuggins_mode = 'off'", {"target": 61}, ["muggins_scope=show changes nothing"]),
        ("[options]\nmuggins_mode = 'claim'\nmuggins_scope = 'show'", {"muggins_mode": "claim"}, []),
    ],
)
def test_house_rules_that_do_not_go_together_are_left_out_with_a_warning(
    tmp_path: Path, text: str, left: dict[str, object], warnings: list[str]
) -> None:
    file = with_file(tmp_path, text)
    sources = sources_of(file, {"HOME": str(tmp_path)}, {})
    settings = sources.load()
    assert left.items() <= options_of(settings.rules).items()
    given = rule_warnings(settings, sources)
    assert len(given) == len(warnings)
    for line, part in zip(given, warnings, strict=True):
        assert line.startswith(f"{file}: options: ") and part in line


def test_a_missing_or_unreadable_named_file_is_reported(tmp_path: Path) -> None:
    fault = fault_of(tmp_path / "missing.toml")
    assert (fault.got, fault.where) == ("No such file or directory", str(tmp_path / "missing.toml"))
    assert fault_of(tmp_path).got == "Is a directory"


def test_an_unreadable_default_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "cribboard" / "cribboard.toml").mkdir(parents=True)
    assert fault_of(environ={"XDG_CONFIG_HOME": str(tmp_path)}).got == "Is a directory"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"port = ", "TOML, such as port = 8080"),
        (b"port = 1\nport = 2", "TOML"),
        (b"names = ['\xff']", "a settings file"),
    ],
)
def test_text_that_is_not_toml_is_reported(tmp_path: Path, text: bytes, expected: str) -> None:
    fault = fault_of(with_file(tmp_path, text))
    assert fault.expected.startswith(expected)
    assert fault.where.endswith("cribboard.toml")


def test_settings_of_mqtt_may_stand_in_a_table(tmp_path: Path) -> None:
    table = load(with_file(tmp_path, "port = 8090\n[mqtt]\nhost = 'Broker.local'\nport = 8883\ntls = true\n"))
    assert (table.port, table.mqtt_host, table.mqtt_port, table.mqtt_tls) == (8090, "broker.local", 8883, True)
    names = load(with_file(tmp_path, "mqtt_host = '10.0.0.2'"), {"CRIBBOARD_MQTT_PORT": "1884"})
    assert (names.mqtt_host, names.mqtt_port) == ("10.0.0.2", 1884)
    assert not load().mqtt_host


@pytest.mark.parametrize(
    "line", ["host = 'mqtt://broker'", "board = 'table 3'", "board = 'a/b'", "hots = 'x'", "port = 0"]
)
def test_a_wrong_setting_of_mqtt_is_refused(tmp_path: Path, line: str) -> None:
    fault = fault_of(with_file(tmp_path, f"[mqtt]\n{line}"))
    assert f"mqtt_{line.split()[0]}" in str(fault)
