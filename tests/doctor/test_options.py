"""The check of the options: what is installed, and what is wanted but missing."""

from __future__ import annotations

from msgspec.structs import replace

from firmware_host.doctor.findings import Finding, Verdict
from firmware_host.doctor.options import CHOSEN, check_options
from firmware_host.optional_packages import Option
from tests.doctor.fake_machine import FakeMachine
from tests.doctor.test_doctor import context


def found(machine: FakeMachine, **settings: object) -> list[Finding]:
    base = context(machine)
    changed = replace(base.settings, **settings)
    return list(check_options(replace(base, settings=changed)))


def test_options_that_nobody_wants_may_be_missing(machine: FakeMachine) -> None:
    (line,) = found(machine)
    assert (line.verdict, line.got) == (Verdict.NOTE, "installed: voice; not installed: mqtt, https, club, league")


def test_an_option_needs_each_package_and_each_program(machine: FakeMachine) -> None:
    machine.packages.update({"paho-mqtt": "2.2.0", "argon2-cffi": "25.1.0", "cryptography": "38.0.4"})
    assert found(machine)[0].got == "installed: mqtt, https, voice; not installed: club, league"
    machine.folders["/usr/sbin"] = ["mosquitto"]
    assert found(machine)[0].got == "installed: mqtt, https, voice, club; not installed: league"


def test_a_setting_that_needs_a_missing_option_is_a_warning_with_the_command(machine: FakeMachine) -> None:
    machine.folders.clear()
    _, *warnings = found(machine, mqtt_host="broker", https=True, voice=True)
    wanted = [(Option.MQTT, "mqtt_host"), (Option.HTTPS, "https = true"), (Option.VOICE, "voice = true")]
    for line, (option, setting) in zip(warnings, wanted, strict=True):
        assert line.verdict is Verdict.WARNING
        assert line.got == f"{option.value} is not installed, but the settings have {setting}"
        assert line.fix == f"Run: sudo cribboard-install --with {option.value}."


def test_paho_1_of_bookworm_is_not_enough(machine: FakeMachine) -> None:
    machine.packages["paho-mqtt"] = "1.6.1"
    assert found(machine, mqtt_host="broker")[1].got == "mqtt is not installed, but the settings have mqtt_host"


def test_an_option_that_the_installer_remembers_may_not_be_missing(machine: FakeMachine) -> None:
    machine.files[CHOSEN] = "# The options of this board.\nvoice\nclub\n"
    _, warning = found(machine)
    assert warning.got == "club is not installed, but the installer was told to install it"
