"""The JSON files of the state folder that version 0.2 wrote open unchanged, and keep their values."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copy

import pytest

from firmware_host.config.card_tags import CardTags
from firmware_host.config.wiring_store import save_wiring, with_saved_wiring
from firmware_host.host.parts.wizard_store import load_wizard, save_wizard
from firmware_host.pairing.registry import PhoneRegistry, read_phones, write_phones
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from tests.golden.make_state_files import CARDS, CHAIN, FOLDER, HAND, PEOPLE, PHONES, PLAN, WIZARD


@pytest.fixture
def state(tmp_path: Path) -> Path:
    for file in FOLDER.iterdir():
        copy(file, tmp_path)
    return tmp_path


def values_of(folder: Path) -> dict[str, object]:
    """The content of each file, without the check that later versions add."""
    values = {file.name: json.loads(file.read_bytes()) for file in folder.glob("*.json")}
    return {name: {key: value for key, value in content.items() if key != "check"} for name, content in values.items()}


def test_merged_names_and_learners(state: Path) -> None:
    assert PeopleFile(state / "people.json").read() == PEOPLE
    zoe = LearnersFile(state / "learners.json").progress("zoë")
    assert (zoe.level, zoe.hands, zoe.attempts) == (2, 1, (HAND,))


def test_card_tags_of_0_2_are_read(state: Path) -> None:
    assert dict(CardTags(state / "cards.json").cards) == CARDS


def test_phones_of_0_2_are_read(state: Path) -> None:
    assert read_phones(state / "phones.json") == PhoneRegistry(state / "phones.json").phones == PHONES


def test_wiring_of_0_2_is_read(state: Path) -> None:
    assert with_saved_wiring(PLAN, state).holes == PLAN.rewired(CHAIN).holes


def test_wizard_of_0_2_is_read(state: Path) -> None:
    assert load_wizard(state / "wizard.json", PLAN, WIZARD.steps) == WIZARD


def test_all_are_written_with_the_same_values(state: Path) -> None:
    for file in (PeopleFile, LearnersFile):
        file(state / file.NAME).replace(lambda content: content)
    write_phones(state / "phones.json", read_phones(state / "phones.json"))
    save_wiring(state, PLAN, with_saved_wiring(PLAN, state))
    wizard = load_wizard(state / "wizard.json", PLAN, WIZARD.steps)
    assert wizard
    save_wizard(state / "wizard.json", PLAN, wizard)
    tags = CardTags(state / "cards.json")
    for tag, card in CARDS.items():
        tags.assign(tag, card)
    assert values_of(state) == values_of(FOLDER)
