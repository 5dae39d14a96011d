"""Writes a sample of each JSON file of the state folder, to be kept in tests/golden/state-0.2 for ever.

`python -m tests.golden.make_state_files` refuses to overwrite: the files of a version never change. To make those of an
older version, run it with that version in PYTHONPATH.
"""

from __future__ import annotations

from pathlib import Path

from firmware_host.coach.attempt import Attempt
from firmware_host.coach.kinds import hand_of
from firmware_host.config.board_plans import load_plan
from firmware_host.config.card_tags import CardTags
from firmware_host.config.wiring_store import save_wiring
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.host.parts.wizard_store import save_wizard
from firmware_host.pairing.registry import Phone, Role, write_phones
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people import People
from firmware_host.stats.people_file import PeopleFile
from firmware_host.ui.wizard.wizard import HoleResult, Wizard
from firmware_host.ui.wizard_commands import Question, Step

FOLDER = Path(__file__).with_name("state-0.2")

PLAN = load_plan("classic-61")
CHAIN = [1, 0, *range(2, PLAN.strip_count)]
CARDS = {"04A1": parse_card("5H"), "04B2": parse_card("JS")}
PEOPLE = People((("Zoë", "Zoe"), ("Ann", "Annie", "A. Smith")))
HAND = Attempt(hand_of(parse_cards("5H 5S 5D JC 5C")), (8, None))
PHONES = (
    Phone("0a1b2c3d", "Zoë’s phone", Role.OWNER, "ab" * 32, Seat(1)),
    Phone("4e5f6071", "Ben", Role.VIEWER, "cd" * 32, None),
)
WIZARD = Wizard(
    step=Step.SENSORS,
    is_open=True,
    holes={"red 1": HoleResult.WORKS, "red 2": HoleResult.DEAD},
    answers={Question.RED: True},
    keys=frozenset({"A"}),
)


def main() -> None:
    FOLDER.mkdir()  # raises FileExistsError
    PeopleFile(FOLDER / PeopleFile.NAME).replace(lambda _: PEOPLE)
    learners = LearnersFile(FOLDER / LearnersFile.NAME)
    learners.change("Zoë", lambda progress: progress.after(HAND).at_level(2))
    tags = CardTags(FOLDER / "cards.json")
    for tag, card in CARDS.items():
        tags.assign(tag, card)
    save_wiring(FOLDER, PLAN, PLAN.rewired(CHAIN))
    write_phones(FOLDER / "phones.json", PHONES)
    save_wizard(FOLDER / "wizard.json", PLAN, WIZARD)


if __name__ == "__main__":
    main()
