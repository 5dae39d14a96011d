"""Game records written short, so that a case is a few lines of text: steps, then what the last of them is answered.

    cut 5C  0:KH 1:go           starter; plays and gos
    0+8  1!3                    seat 0 pegs 8; seat 1 claims 3
    0$5  1$pass                 bids
    0#hand  1#crib              counts
    undo  redo
    0:JD -> refused over_31     ... and what the last step is answered

Expectations, parted by commas: scores 48 43, due 1:2 1:1, missed 0:4, next 1, next nobody, phase show, winner 0,
refused KIND, accepted. What is not named as due or missed or refused did not happen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from firmware_host.record import Referee

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
"""With the eight of diamonds the pone shows 8, the dealer (seat 1) 12, the crib 4."""
THEIR_PLAY = "cut 8D  0:7S 1:6C 0:QH 1:5D 1+1 0:7D 1:5C 0:QC 1:4H 1+1"
"""The play of these hands, where the dealer scores twice for last, and pegs it."""


def lines_of(steps: str) -> Iterator[Line]:
    for step in re.findall(r"cut \S+|\S+", steps):
        found = ((re.fullmatch(pattern, step), line) for pattern, line in STEPS)
        yield next(line(*match.groups()) for match, line in found if match)


def header(variant: str = "six_card", dealer: int = 1, seats: int = 2, **more: Any) -> Line:
    return {"record": 1, "variant": variant, "seats": list("ABCDEF"[:seats]), "dealer": dealer, **more}


def hear(referee: Referee, line: Line) -> Answer:
    """The answer as it is printed: through JSON and back."""
    said = referee.hear(json.loads(json.dumps(line)))
    answer: Answer = json.loads(json.dumps(said.as_json(1)))
    return answer


def by_seat(entries: Sequence[Answer]) -> str:
    return " ".join(f"{entry['seat']}:{entry['points']}" for entry in entries)


def as_said(answer: Answer) -> dict[str, str]:
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
    said = as_said(answer)
    assert {name: said[name] for name in wanted} == wanted, answer


def run(script: str, referee: Referee) -> None:
    """Every line of the script in turn; a step that nothing is expected of must at least be accepted."""
    for text in filter(None, map(str.strip, script.splitlines())):
        steps, arrow, expected = text.partition("->")
        answers = [hear(referee, line) for line in lines_of(steps.strip())]
        for answer in answers[: -1 if arrow else None]:
            assert answer["refused"] is None, f"{text}: {answer['refused']}"
        if arrow:
            check(answers[-1], expected.strip())


def referee_of(*lines: Line) -> Referee:
    """A game that has come so far, every line accepted."""
    referee = Referee()
    for line in lines:
        answer = hear(referee, line)
        assert answer["refused"] is None, f"{line}: {answer['refused']}"
    return referee
