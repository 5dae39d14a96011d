"""The contract of `cribboard engine` under 2,000 lines of all kinds: one answer a line, in order, and the exit code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.variants import VARIANTS
from tests.cli.test_engine_command import DISCARD, PLAY

LINES = 2000
GOOD = (DISCARD, PLAY)
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, 10**30, "", "x" * 9, "5H", "\u0000", "\N{PLAYING CARD ACE OF SPADES}", [], {}, [[]]),
    *([None] * 7, ["5H"] * 6, [["me", "5H"]] * 101, {"target": 0}, {"crib_flush": "maybe"}, [0] * 7, float("nan")),
)
BYTES = (b"{", b"[]", b"null", b"\xff\xfe", b'{"ask":', b"[" * 5000, b'{"ask": "discard"}', b"\x00", "\u2028".encode())


def lines(random: Random) -> Iterator[bytes]:
    """Half of them are questions with fields that were changed, removed or doubled; some are right."""
    for number in range(LINES):
        match number % 4:
            case 0:
                yield random.choice(BYTES)
            case 1:
                yield cut(json.dumps(random.choice(GOOD)).encode(), random)
            case 2:
                yield json.dumps(with_strange_fields(random)).encode()
            case _:
                yield json.dumps(with_other_cards(random)).encode()


def cut(line: bytes, random: Random) -> bytes:
    """The line without a piece, or with a byte that is another."""
    place = random.randrange(len(line))
    if random.random() < 0.5:
        return line[:place] + line[place + random.randrange(1, 9) :]
    return line[:place] + random.randbytes(1).replace(b"\n", b"?").replace(b"\r", b"?") + line[place + 1 :]


def with_strange_fields(random: Random) -> dict[str, Any]:
    question = dict(random.choice(GOOD))
    for name in random.sample(sorted(question), random.randrange(1, 4)):
        question[name] = random.choice(STRANGE)
    if random.random() < 0.3:
        del question[random.choice(sorted(question))]
    return question


def with_other_cards(random: Random) -> dict[str, Any]:
    """Real cards in any number, for any variant: a few such questions are right."""
    pack = [str(card) for card in random.sample(PACK, 14)]
    general = {"crib": random.choice(("own", "theirs")), "variant": random.choice(list(VARIANTS)), "scores": [0, 119]}
    if random.random() < 0.5:
        return general | {"ask": "discard", "dealt": pack[: random.randrange(3, 8)]}
    played = [
        [random.choice(("me", "them")), random.choice(("go", card))] for card in pack[8 : random.randrange(8, 13)]
    ]
    return general | {"ask": "play", "hand": pack[: random.randrange(6)], "starter": pack[7], "played": played}


def test_every_line_gets_one_answer_and_bad_ones_set_the_exit_code() -> None:
    asked = [line for line in lines(Random(29)) if line.strip()]
    result = CliRunner().invoke(main, ["engine", "--level", "beginner"], input=b"\n".join(asked))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(answers) == len(asked) and result.exit_code == 1 and not result.stderr
    for line, answer in zip(asked, answers, strict=True):
        is_error = answer.keys() == {"error", "message"} and answer["error"] and answer["message"]
        assert is_error or answer.keys() & {"discard", "play"}, (line, answer)
    assert 50 < sum("error" not in answer for answer in answers) < LINES / 2


def test_right_lines_alone_end_with_code_0() -> None:
    result = CliRunner().invoke(main, ["engine"], input="\n\n".join(map(json.dumps, GOOD)))
    assert result.exit_code == 0 and len(result.stdout.splitlines()) == len(GOOD)
