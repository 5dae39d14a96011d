"""Results of random games, as boards send them, and an independent reading of the standings over them."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

PEOPLE = ("Ann", "Bob", "Cat", "Dan", "Eve", "ann ", "BOB")
BOARDS = ("table-1", "table-2", "table-3")
CLUBS = {"table-1": "Riverside", "table-2": "Riverside", "table-3": "Hill"}


class Message(NamedTuple):
    board: str
    body: dict[str, Any]

    @property
    def payload(self) -> bytes:
        return json.dumps(self.body).encode()


def message(number: int = 1, revision: int = 1, board: str = "table-1", **changes: object) -> Message:
    """Ann wins against Bob by a skunk, 121 to 85."""
    body = {
        "version": 1,
        "id": f"{number:032x}",
        "revision": revision,
        "is_final": True,
        "board": board,
        "game": number + 1,
        "started_at": "2026-11-25T19:00:00.000+00:00",
        "ended_at": "2026-11-25T19:20:00.000+00:00",
        "variant": "six_card",
        "target": 121,
        "sides": [{"players": ["Ann"], "score": 121}, {"players": ["Bob"], "score": 85}],
        "winner": 0,
        "margin": "skunk",
        "match_points": [3, 0],
        "spread": [36, -36],
        "club_game": None,
        "confirmed": [],
    }
    return Message(board, body | changes)


def random_messages(chance: random.Random, games: int) -> list[Message]:
    """Games of two, three and four players; some are withdrawn, and some of those end again.

    Every message comes once or several times, in any order.
    """
    sent = list[Message]()
    for number in range(games):
        sent += _revisions(chance, number)
    sent += chance.choices(sent, k=len(sent) // 2)
    chance.shuffle(sent)
    return sent


def _revisions(chance: random.Random, number: int) -> Iterable[Message]:
    board, day = chance.choice(BOARDS), f"2026-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
    teams: Sequence[Sequence[str]] = [[name] for name in chance.sample(PEOPLE, chance.choice((2, 2, 2, 3)))]
    if chance.random() < 0.1:
        teams = [["Ann", "Bob"], ["Cat", "Dan"]]
    variant = chance.choice(("six_card", "six_card", "five_card"))
    for revision in range(1, chance.choice((1, 1, 1, 2, 3)) + 1):
        winner = chance.randrange(len(teams))
        scores = [121 if side == winner else chance.randrange(40, 121) for side in range(len(teams))]
        ahead = 121 - max(score for side, score in enumerate(scores) if side != winner)
        spread = [ahead if side == winner else score - 121 for side, score in enumerate(scores)]
        points = [(3 if ahead > 30 else 2) if side == winner else 0 for side in range(len(teams))]
        final = revision % 2 == 1
        yield message(
            number,
            revision,
            board,
            is_final=final,
            started_at=f"{day}T18:00:00.000+00:00",
            ended_at=f"{day}T18:30:00.000+00:00",
            variant=variant,
            sides=[{"players": list(team), "score": score} for team, score in zip(teams, scores, strict=True)],
            winner=winner if final else None,
            margin="win" if final else None,
            match_points=points if final else None,
            spread=spread if final else None,
        )


def oracle(messages: Iterable[Message], first: str = "", after: str = "", club: str = "") -> list[tuple[Any, ...]]:
    """Place, player, games, points, wins, spread, plus; by counting who is better, from the messages alone."""
    last = dict[str, Message]()
    for each in messages:
        if each.body["id"] not in last or last[each.body["id"]].body["revision"] < each.body["revision"]:
            last[each.body["id"]] = each
    sums = defaultdict[str, list[int]](lambda: [0, 0, 0, 0, 0])
    for each in last.values():
        body, sides = each.body, each.body["sides"]
        if not body["is_final"] or body["variant"] != "six_card" or (club and CLUBS.get(each.board) != club):
            continue
        if len(sides) != 2 or any(len(side["players"]) != 1 for side in sides):
            continue
        if body["ended_at"][:10] < first or (after and body["ended_at"][:10] >= after):
            continue
        for side in (0, 1):
            own, other = sides[side]["score"], sides[1 - side]["score"]
            total = sums[sides[side]["players"][0].strip().lower()]
            total[0] += 1
            total[1] += 0 if own < 121 else 3 if other < 91 else 2
            total[2] += own == 121
            total[3] += own - other
            total[4] += max(0, own - other)
    rows = [(name, *figures) for name, figures in sums.items()]
    places = [1 + sum(other[2:] > row[2:] for other in rows) for row in rows]
    return sorted((place, *row) for place, row in zip(places, rows, strict=True))
