"""One flipped bit in a small file of the state folder changes nothing that is used: the check finds it, and the copy is
used. The start is never refused, and a change is never taken for what was written."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from shutil import rmtree

import pytest
from msgspec import Struct

from firmware_host.club_server.accounts import Account, AccountRole, Accounts
from firmware_host.config.board_plans import load_plan
from firmware_host.config.card_tags import CardTags, prepare_card_tags
from firmware_host.config.settings import Settings
from firmware_host.config.settings_editor import SettingsEditor
from firmware_host.config.settings_record import keep_record, parse_record, read_record
from firmware_host.config.settings_sources import Sources, parse_toml, prepare_changes, read_changes
from firmware_host.config.wiring_store import save_wiring, with_saved_wiring
from firmware_host.cribbage.cards import parse_card
from firmware_host.cribbage.rules import Seat
from firmware_host.host.parts.wizard_store import load_wizard, save_wizard
from firmware_host.pairing.registry import PhoneRegistry, Role, prepare_phones
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.checked_file import copy_of, prepare_file
from firmware_host.telemetry.broker import Broker
from firmware_host.telemetry.withdrawal import Published, PublishedFile
from firmware_host.ui.wizard.wizard import Wizard
from firmware_host.ui.wizard_commands import Question, Step

PLAN = load_plan("classic-61")
REWIRED = PLAN.rewired((1, 0, *range(2, PLAN.strip_count)))
STEPS = tuple(Step)
SAMPLED = 61
"""The everyday suite flips every bit of this distance: a prime, so that each bit of a byte has its turn."""


class SmallFile(Struct, frozen=True):
    """How a program writes a file, and what a start finds in it."""

    name: str
    write: Callable[[Path], object]
    start: Callable[[Path], object]


def two_phones(file: Path) -> None:
    registry = PhoneRegistry(file)
    registry.add_phone("Ann")
    registry.set_role(registry.add_phone("Zoë")[0].id, Role.KEEPER)
    registry.set_seat(registry.phones[1].id, Seat(1))


def start_with_phones(file: Path) -> object:
    prepare_phones(file)
    return PhoneRegistry(file).phones


def start_with_card_tags(file: Path) -> object:
    prepare_card_tags(file)
    return dict(CardTags(file).cards)


def start_with_people(file: Path) -> object:
    PeopleFile.prepare(file)
    return PeopleFile(file).read()


def start_with_learners(file: Path) -> object:
    LearnersFile.prepare(file)
    return LearnersFile(file).read()


def two_accounts(file: Path) -> None:
    made = (
        Account("Ann", AccountRole.ORGANISER, "$argon2id$1"),
        Account("Zoë", AccountRole.SCOREKEEPER, "$argon2id$2"),
    )
    Accounts(file)._write({account.name: account for account in made})


def two_changed_settings(file: Path) -> None:
    file.with_name("cribboard.toml").write_text("port = 8090\n")
    sources = sources_beside(file)
    file.write_text('names = ["Ann", "Zoë"]\n')
    SettingsEditor(sources, sources.load(), lambda changed: None).change({"sound": False})


def sources_beside(file: Path) -> Sources:
    return Sources(file.with_name("cribboard.toml"), {}, {"state_folder": str(file.parent)})


def start_with_changed_settings(file: Path) -> object:
    prepare_changes(file)
    return parse_toml(read_changes(file), str(file))


def a_start(file: Path) -> None:
    keep_record(Settings(state_folder=file.parent, names=("Ann", "Zoë")))


def start_with_record(file: Path) -> object:
    prepare_file(file, parse_record)
    return read_record(file)


def begun_setup(file: Path) -> None:
    save_wizard(file, PLAN, Wizard(STEPS, STEPS[1], answers={Question.RED: True}, keys=frozenset("A")))


def one_broker(file: Path) -> None:
    PublishedFile(file).add(Published(Broker("broker.local", 1883, "Zoë"), home_assistant=True))


FILES = (
    SmallFile("settings.toml", two_changed_settings, start_with_changed_settings),
    SmallFile("settings-at-start.json", a_start, start_with_record),
    SmallFile("wizard.json", begun_setup, lambda file: load_wizard(file, PLAN, STEPS)),
    SmallFile("mqtt-published.json", one_broker, lambda file: PublishedFile(file).load()),
    SmallFile("phones.json", two_phones, start_with_phones),
    SmallFile(
        "people.json", lambda file: PeopleFile(file).replace(lambda old: old.merge("Ann", "Zoë")), start_with_people
    ),
    SmallFile(
        "learners.json",
        lambda file: LearnersFile(file).change("Zoë", lambda progress: progress.at_level(3)),
        start_with_learners,
    ),
    SmallFile("deck.json", lambda file: CardTags(file).assign("04A1", parse_card("5H")), start_with_card_tags),
    SmallFile(
        "classic-61.wiring.json",
        lambda file: save_wiring(file.parent, PLAN, REWIRED),
        lambda file: with_saved_wiring(PLAN, file.parent).holes,
    ),
    SmallFile("club-accounts.json", two_accounts, lambda file: dict(Accounts(file).all())),
)
every_file = pytest.mark.parametrize("kind", FILES, ids=lambda kind: kind.name)


def flipped(content: bytes, bit: int) -> bytes:
    return content[: bit // 8] + bytes([content[bit // 8] ^ 1 << bit % 8]) + content[bit // 8 + 1 :]


def lost_flips(kind: SmallFile, folder: Path, which: Callable[[Path], Path], step: int) -> Iterable[int]:
    """The bits that change what a start finds, or refuse it."""
    file = folder / kind.name
    folder.mkdir()
    kind.write(file)
    before = kind.start(file)
    intact = {each.name: each.read_bytes() for each in folder.iterdir()}
    target = which(file)
    for bit in range(0, 8 * len(intact[target.name]), step):
        rmtree(folder)
        folder.mkdir()
        for name, content in intact.items():
            (folder / name).write_bytes(content)
        target.write_bytes(flipped(intact[target.name], bit))
        if kind.start(file) != before:
            yield bit


@every_file
@pytest.mark.parametrize("which", [Path, copy_of], ids=["file", "copy"])
def test_a_flipped_bit_of_a_small_file_changes_nothing(
    tmp_path: Path, kind: SmallFile, which: Callable[[Path], Path]
) -> None:
    assert list(lost_flips(kind, tmp_path / "state", which, SAMPLED)) == []


@pytest.mark.slow
@every_file
@pytest.mark.parametrize("which", [Path, copy_of], ids=["file", "copy"])
def test_every_flipped_bit_of_a_small_file_changes_nothing(
    tmp_path: Path, kind: SmallFile, which: Callable[[Path], Path]
) -> None:
    assert list(lost_flips(kind, tmp_path / "state", which, 1)) == []


@every_file
def test_a_start_with_a_damaged_file_and_copy_goes_on_without(
    tmp_path: Path, kind: SmallFile, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / kind.name
    kind.write(file)
    for each in (file, copy_of(file)):
        each.write_bytes(b"\0" * 80)
    caplog.set_level(logging.ERROR)
    if kind.name == "club-accounts.json":
        Accounts(file).prepare()
    kind.start(file)
    assert "begins without" in caplog.text and f"{file.stem}.aside-" in caplog.text
    assert not file.exists() and len(list(tmp_path.glob("*.aside-*"))) == 2


@every_file
def test_an_empty_file_is_read_from_its_copy(tmp_path: Path, kind: SmallFile, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / kind.name
    kind.write(file)
    before = kind.start(file)
    file.write_bytes(b"")
    assert kind.start(file) == before and "its copy is used" in caplog.text
    assert file.read_bytes() == copy_of(file).read_bytes()


@every_file
def test_a_file_of_a_damaged_length_is_read_from_its_copy(
    tmp_path: Path, kind: SmallFile, caplog: pytest.LogCaptureFixture
) -> None:
    """One flipped bit in the tables of a file system makes a file longer than the memory."""
    file = tmp_path / kind.name
    kind.write(file)
    before = kind.start(file)
    os.truncate(file, 1 << 40)
    assert kind.start(file) == before and "too large" in caplog.text
    assert file.read_bytes() == copy_of(file).read_bytes()


@every_file
def test_a_file_that_was_deleted_is_not_brought_back(tmp_path: Path, kind: SmallFile) -> None:
    file = tmp_path / kind.name
    nothing = kind.start(tmp_path / "new" / kind.name)
    kind.write(file)
    file.unlink()
    assert kind.start(file) == nothing


@every_file
def test_what_a_person_wrote_is_kept(tmp_path: Path, kind: SmallFile) -> None:
    file = tmp_path / kind.name
    kind.write(file)
    edited = file.read_bytes().replace("Zoë".encode(), "Zoé".encode())
    for told, other in ((b"5H", b"5S"), (b"1,0,", b"0,1,"), (b'"A"', b'"2"')):
        edited = edited.replace(told, other)
    file.write_bytes(edited)
    kind.start(file)
    assert [each.read_bytes() for each in tmp_path.glob("*.aside-*")] == [edited]
