"""`cribboard referee`: replays a game record and says every due and every missed point."""

from __future__ import annotations

import json
from typing import BinaryIO

import click

from firmware_host.cli.lines import NotJson, WrongType, parse_record, tell
from firmware_host.cribbage.refusals import NotACard, Refusal
from firmware_host.record import Answer, NotARecord, Referee
from firmware_host.table.events import TurnRedone, TurnUndone
from firmware_host.table.wording import say
from firmware_host.table.words import as_written

UNREADABLE = (NotARecord, NotJson, WrongType, NotACard)
"""A line that says nothing, as against one that says what the rules refuse."""


@click.command("referee", short_help="Referee a recorded game.")
@click.argument("record", type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(record: BinaryIO, as_json: bool) -> None:
    """Replay the game RECORD (JSON Lines; - is standard input) and say every due and every missed point.

    A line that the rules refuse changes nothing, and the rest goes on. Exits with 1 if a line was no record at all.
    """
    referee, was_bad = Referee(), False
    for number, line in enumerate(record, start=1):
        if not line.strip():
            continue
        answer = hear(referee, line)
        was_bad |= isinstance(answer.refused, UNREADABLE)
        tell(json.dumps(answer.as_json(number)) if as_json else in_words(number, answer))
    if was_bad:
        raise click.exceptions.Exit(1)


def hear(referee: Referee, line: bytes) -> Answer:
    """The answer to one line of bytes, even if it is no JSON."""
    try:
        return referee.hear(parse_record(line))
    except Refusal as refused:
        return referee.stands(refused)


def in_words(number: int, answer: Answer) -> str:
    if answer.refused:
        return f"{number}: refused ({answer.refused.kind}): {answer.refused}"
    assert answer.table is not None
    table = answer.table
    spoken = (UNSPOKEN.get(type(event)) or say(event, table, as_written) for event in answer.events)
    said = " ".join(filter(None, spoken))
    return f"{number}: {said or 'nothing to score.'} [{' '.join(map(str, table.scores))}]"


UNSPOKEN: dict[type, str] = {TurnUndone: "taken back.", TurnRedone: "brought again."}
