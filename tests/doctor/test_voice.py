"""The check of the voice: one line, whatever is missing; never a fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_host.doctor.findings import DoctorContext, Finding, Verdict
from firmware_host.doctor.voice import check_voice
from firmware_host.speech.sound import SpeechError
from firmware_host.ui.voice import VoiceSettings
from tests.doctor.fake_machine import FakeMachine
from tests.doctor.test_doctor import context


def found(machine: FakeMachine, *, is_on: bool = True, **changes: object) -> Finding:
    base = context(machine)
    settings = replace(base.settings, voice=is_on)
    (finding,) = check_voice(replace(base, settings=settings, **changes))
    return finding


def without(machine: FakeMachine, *command: str) -> FakeMachine:
    machine.commands.pop(command)
    return machine


def test_without_espeak_the_fix_is_said(machine: FakeMachine) -> None:
    finding = found(without(machine, "espeak-ng", "--version"))
    assert (finding.verdict, finding.got) == (Verdict.WARNING, "espeak-ng not installed")
    assert finding.fix == "sudo cribboard-install --with voice; the game goes on without."


def test_without_a_sound_device_the_fix_is_said(machine: FakeMachine) -> None:
    finding = found(without(machine, "aplay", "-l"))
    assert (finding.verdict, finding.got) == (Verdict.WARNING, "no sound device")


def test_a_voice_that_is_off_needs_nothing(machine: FakeMachine) -> None:
    finding = found(without(machine, "espeak-ng", "--version"), is_on=False)
    assert (finding.verdict, finding.fix) == (Verdict.NOTE, "")


def test_it_speaks_only_when_it_is_asked_to(machine: FakeMachine) -> None:
    said = list[tuple[str, VoiceSettings]]()

    def say(text: str, voice: VoiceSettings) -> None:
        said.append((text, voice))

    found(machine, say=say)
    assert said == []
    finding = found(machine, say=say, may_sound=True)
    assert [text for text, _ in said] == ["This is the voice of the board."]
    assert finding.got.endswith("on the default device: was it audible?")


def test_the_hubs_amplifier_is_used_before_other_devices(machine: FakeMachine) -> None:
    assert "can be heard on MAX98357A;" in found(machine).got
    machine.commands["aplay", "-l"] = "card 0: Headphones [bcm2835 Headphones], device 0: bcm2835 Headphones []"
    assert "can be heard on bcm2835 Headphones;" in found(machine).got


def test_a_user_who_may_not_open_sound_devices_is_told(machine: FakeMachine) -> None:
    machine.member_of.remove("audio")
    finding = found(machine)
    assert finding.verdict is Verdict.WARNING and "usermod -aG audio cribboard" in finding.fix


def test_a_device_that_fails_is_a_warning(machine: FakeMachine) -> None:
    def say(text: str, voice: VoiceSettings) -> None:
        raise SpeechError("aplay: expected a sound device, got none")

    finding = found(machine, say=say, may_sound=True)
    assert finding.verdict is Verdict.WARNING and "aplay -L" in finding.fix


@pytest.mark.parametrize("is_on", [True, False])
def test_voice_that_works_is_ok(machine: FakeMachine, is_on: bool) -> None:
    assert found(machine, is_on=is_on).verdict is Verdict.OK
    assert isinstance(context(machine), DoctorContext)


@pytest.mark.parametrize(
    ("is_installed", "has_voice", "expected"),
    [
        (True, True, "off, FN and J turn it on; Piper with en_US-joe can be heard on"),
        (True, False, "; espeak-ng (Piper has no voice in "),
        (False, True, "; espeak-ng (voice en_US-joe, but no Piper) can be heard on"),
        (False, False, "off, FN and J turn it on; can be heard on"),
    ],
)
def test_it_says_which_program_speaks(
    machine: FakeMachine, tmp_path: Path, is_installed: bool, has_voice: bool, expected: str
) -> None:
    if is_installed:
        machine.commands["which", "piper"] = "/usr/local/bin/piper"
    base = context(machine)
    (tmp_path / "voices").mkdir()
    for name in ("en_US-joe.onnx", "en_US-joe.onnx.json") if has_voice else ():
        (tmp_path / "voices" / name).touch()
    (finding,) = check_voice(replace(base, settings=replace(base.settings, state_folder=tmp_path)))
    assert finding.verdict is Verdict.OK and expected in finding.got
