"""`cribboard referee`: replays a game record and reports every point that is due or missed."""

from __future__ import annotations

from typing import BinaryIO

import click

from firmware_host.cli.jsonl import NotJson, WrongType, json_line, parse_record, write_line
from firmware_host.cli.scorekeeper import in_words
from firmware_host.cribbage.rule_errors import NotACard, Refusal
from firmware_host.game.record import Referee
from firmware_host.game.record_answer import Answer
from firmware_host.game.record_lines import EXAMPLES, NotARecord

UNREADABLE = (NotARecord, NotJson, WrongType, NotACard)
"""Lines that cannot be read at all. A line that the rules refuse is something else."""

COMMENT_SIGN = b"#"
"""A line that begins with it is a comment."""


@click.command("referee")
@click.argument("record", type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(record: BinaryIO, as_json: bool) -> None:
    """Replay the game RECORD, with every point that is due and every missed one.

    RECORD is a file of JSON Lines; - is standard input. A line that the rules refuse changes nothing, and the rest goes
    on. Exits with 1 if a line could not be read. A complete record:

    \b
      # The hands that were kept; the discards and the crib are not known.
      {"record": 1, "variant": "six_card", "seats": ["Ann", "Ben"], "dealer": "Ben", "scores": [112, 90]}
      {"deal": [["7H", "8D", "9S", "2C"], ["8S", "6C", "KD", "4H"]]}
      {"starter": "6H"}
      {"play": ["Ann", "7H"]}
      {"play": ["Ben", "8S"]}
      {"play": ["Ann", "9S"], "comment": "a run of three"}
      {"play": ["Ben", "6C"]}
      {"play": ["Ann", "8D"]}
      {"play": ["Ben", "4H"]}
      {"play": ["Ann", "2C"]}
      {"play": ["Ben", "KD"]}

    Other lines enter discards, bids, goes, pegs and muggins, count or skip unknown hands, and undo. All of them, and
    the fields of the answers, are described in firmware_host/RECORDS.md.
    """
    referee = Referee()
    was_bad = False
    for number, line in enumerate(record, start=1):
        if is_blank(line):
            continue
        answer = answer_to(referee, line, number)
        was_bad |= isinstance(answer.refused, UNREADABLE)
        write_line(json_line(answer.as_json(number)) if as_json else in_words(number, answer))
    if was_bad:
        raise click.exceptions.Exit(1)


def is_blank(line: bytes) -> bool:
    """Whether the line gets no answer: it is empty, or a comment."""
    text = line.removeprefix(b"\xef\xbb\xbf").strip()
    return not text or text.startswith(COMMENT_SIGN)


def answer_to(referee: Referee, line: bytes, number: int = 1) -> Answer:
    """The answer to line `number`, in bytes, even if it is not JSON."""
    try:
        return referee.read_line(parse_record(line, EXAMPLES["play"], number))
    except Refusal as refused:
        return referee.refuse(refused)
