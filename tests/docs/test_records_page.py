"""The page on game records names every line, every field and every refusal, and its examples are true."""

from __future__ import annotations

import json
import re
from pathlib import Path

from firmware_host import record
from firmware_host.cli.lines import NotJson, WrongType
from firmware_host.cribbage import refusals as paper
from firmware_host.cribbage.refusals import Refusal
from firmware_host.record import BACK_AND_FORTH, ORDERS, Referee
from firmware_host.table import refusals as table
from tests.referee.notation import header, hear

PAGE = (Path(__file__).parents[2] / "firmware_host" / "RECORDS.md").read_text(encoding="utf-8")


def refusals() -> set[str]:
    """The kinds that an answer may name."""
    known = [found for module in (paper, table, record) for found in vars(module).values() if isinstance(found, type)]
    return {found.kind for found in (*known, NotJson, WrongType) if issubclass(found, Refusal)} - {Refusal.kind}


def test_every_refusal_is_on_the_page() -> None:
    rows = PAGE[PAGE.index("| kind |") :].splitlines()[2:]
    assert {kind for row in rows for kind in re.findall(r"`(\w+)`", row.split("|")[1])} == refusals()


def test_every_line_is_on_the_page() -> None:
    rows = PAGE[PAGE.index("| line |") : PAGE.index("Nothing has to")]
    assert set(re.findall(r'\{"(\w+)":', rows)) == {*ORDERS, *BACK_AND_FORTH}


def test_the_example_begins_a_game_and_the_answer_has_the_fields_of_the_page() -> None:
    first, answer = (json.loads(example) for example in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
    heard = hear(Referee(), first)
    assert heard["refused"] is None and heard["scores"] == first["scores"]
    assert heard.keys() == answer.keys()
    assert first.keys() == header(sides=None, options={}, pegging="", scores=None).keys()
