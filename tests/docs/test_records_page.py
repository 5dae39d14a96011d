"""firmware_host/RECORDS.md names every line, every field, every score and every refusal, and its examples are true."""

from __future__ import annotations

import json
import re
from pathlib import Path

from firmware_host.cli.jsonl import NotJson, WrongType
from firmware_host.cribbage import rule_errors as cribbage_errors
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.score import ScoreKind
from firmware_host.game import record
from firmware_host.game import rule_errors as game_errors
from firmware_host.game.events import Breach, Source
from firmware_host.game.record import Referee
from firmware_host.game.record_lines import EXAMPLES, FIRST, LINE_READERS, UNDO_COMMANDS
from tests.referee.notation import header, read_line

PAGE = (Path(__file__).parents[2] / "firmware_host" / "RECORDS.md").read_text(encoding="utf-8")


def refusals() -> set[str]:
    """The kinds of refusal in an answer."""
    known = [
        found
        for module in (cribbage_errors, game_errors, record)
        for found in vars(module).values()
        if isinstance(found, type)
    ]
    return {found.kind for found in (*known, NotJson, WrongType) if issubclass(found, Refusal)} - {Refusal.kind}


def test_every_refusal_is_on_the_page() -> None:
    rows = PAGE[PAGE.index("| kind |") :].splitlines()[2:]
    assert {kind for row in rows for kind in re.findall(r"`(\w+)`", row.split("|")[1])} == refusals()


def test_every_line_is_on_the_page() -> None:
    rows = PAGE[PAGE.index("| line |") : PAGE.index("A card is")]
    assert set(re.findall(r'\{"(\w+)":', rows)) == {*LINE_READERS, *UNDO_COMMANDS}
    assert {FIRST, *LINE_READERS, *UNDO_COMMANDS} == EXAMPLES.keys()


def test_the_example_starts_a_game_and_the_answer_has_the_fields_of_the_page() -> None:
    first, answer = (json.loads(example) for example in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
    answered = read_line(Referee(), first)
    assert answered["refused"] is None and answered["scores"] == first["scores"]
    assert answered.keys() == answer.keys()
    assert first.keys() == header(sides=None, options={}, pegging="", scores=None).keys()


def test_every_field_of_the_answer_and_of_the_first_line_is_explained() -> None:
    explained = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    examples = [json.loads(example) for example in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    assert {name for example in examples for name in example} <= set(explained)


def test_every_score_and_every_breach_of_a_record_is_on_the_page() -> None:
    reasons = PAGE[PAGE.index("The `why` of points") : PAGE.index("### Missed points")]
    named = set(re.findall(r"`(\w+)`", reasons)) - {"why"}
    in_records = {breach.value for breach in Breach if breach not in (Breach.FOREIGN_PEG, Breach.FRONT_PEG)}
    assert named == {*(kind.value for kind in ScoreKind), *in_records, Source.MUGGINS.value}
