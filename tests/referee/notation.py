"""A short notation for game records, so that a case is a few lines of text: steps, then the answer to the last one.

    cut 5C  0:KH 1:go           starter; plays and gos
    0+8  1!3                    seat 0 pegs 8; seat 1 claims 3
    0$5  1$pass                 bids
    0#hand  1#crib              counts
    undo  redo
    0:JD -> refused over_31     a step, and the expected answer to it

Expectations, separated by commas: scores 48 43, due 1:2 1:1, missed 0:4, next 1, next nobody, phase show, winner 0,
refused KIND, accepted. Anything due, missed or refused that is not named must not be in the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from firmware_host.game.record import Referee

Line = dict[str, Any]
Answer = dict[str, Any]

STEPS: Sequence[tuple[str, Callable[..., Line]]] = (
    (r"cut (\S+)", lambda card: {"starter": card}),
    (r"(\d):go", lambda seat: {"go": int(seat)}),
    (r"(\d):(\w+)", lambda seat, card: {"play": [int(seat), card]}),
    (r"(\d)\+(\d+)", lambda seat, points: {"peg": [int(seat), int(points)]}),
    (r"(\d)!(\d+)", lambda seat, points: {"claim": [int(seat), int(points)]}),
    (r"(\d)\$pass", lambda seat: {"bid": [int(seat), "pass"]}),
    (r"(\d)\$(\d+)", lambda seat, points: {"bid": [int(seat), int(points)]}),
    (r"(\d)#(hand|crib)", lambda seat, what: {"count": [int(seat), what]}),
    (r"undo", lambda: {"undo": True}),
    (r"redo", lambda: {"redo": True}),
)


EIGHT_TWELVE_FOUR = (
    {"deal": [["7D", "QC", "7S", "QH", "TS", "5S"], ["5D", "6C", "4H", "5C", "AS", "KD"]]},
    {"lay_away": [0, ["TS", "5S"]]},
    {"lay_away": [1, ["AS", "KD"]]},
)
"""With the eight of diamonds as starter the pone has 8, the dealer (seat 1) 12, the crib 4."""
THEIR_PLAY = "cut 8D  0:7S 1:6C 0:QH 1:5D 1+1 0:7D 1:5C 0:QC 1:4H 1+1"
"""The play of these hands, in which the dealer scores two last cards, and pegs them."""


def lines_of(steps: str) -> Iterator[Line]:
    for step in re.findall(r"cut \S+|\S+", steps):
        found = ((re.fullmatch(pattern, step), line) for pattern, line in STEPS)
        yield next(line(*match.groups()) for match, line in found if match)


def header(variant: str = "six_card", dealer: int = 1, seats: int = 2, **more: Any) -> Line:
    return {"record": 1, "variant": variant, "seats": list("ABCDEF"[:seats]), "dealer": dealer, **more}


def read_line(referee: Referee, line: Line) -> Answer:
    """The answer as it is printed, after a round trip through JSON."""
    given = referee.read_line(json.loads(json.dumps(line)))
    answer: Answer = json.loads(json.dumps(given.as_json(1)))
    return answer


def by_seat(entries: Sequence[Answer]) -> str:
    return " ".join(f"{entry['seat']}:{entry['points']}" for entry in entries)


def in_notation(answer: Answer) -> dict[str, str]:
    """The answer in the words of the expectations."""
    return {
        "scores": " ".join(map(str, answer["scores"])),
        "due": by_seat(answer["due"]),
        "missed": by_seat(answer["missed"]),
        "next": "nobody" if answer["next"] is None else str(answer["next"]),
        "phase": str(answer["phase"]),
        "winner": str(answer["winner"]),
        "refused": answer["refused"]["kind"] if answer["refused"] else "",
    }


def check(answer: Answer, expected: str) -> None:
    wanted = dict.fromkeys(("due", "missed", "refused"), "") if "accepted" not in expected else {"refused": ""}
    for text in filter(None, map(str.strip, expected.replace("accepted", "").split(","))):
        name, _, value = text.partition(" ")
        wanted[name] = value
    given = in_notation(answer)
    assert {name: given[name] for name in wanted} == wanted, answer


def run(script: str, referee: Referee) -> None:
    """Run every line of the script. A step without an expectation must be accepted."""
    for text in filter(None, map(str.strip, script.splitlines())):
        steps, arrow, expected = text.partition("->")
        answers = [read_line(referee, line) for line in lines_of(steps.strip())]
        for answer in answers[: -1 if arrow else None]:
            assert answer["refused"] is None, f"{text}: {answer['refused']}"
        if arrow:
            check(answers[-1], expected.strip())


def referee_of(*lines: Line) -> Referee:
    """A referee after these lines, all of which must be accepted."""
    referee = Referee()
    for line in lines:
        answer = read_line(referee, line)
        assert answer["refused"] is None, f"{line}: {answer['refused']}"
    return referee
