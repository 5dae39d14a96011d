"""A game played by simulated hands on simulated switches, written down: what the board told, and what was meant."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from board_drivers.halls import Halls, Magnet
from board_drivers.hands import Gesture, Hands, Style

POINTS = (1, 1, 1, 2, 2, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 7, 8, 8, 8, 9, 10, 12, 12, 14, 16, 17, 20, 21, 24, 28, 29)
"""What a player pegs at a time, about as often as in play and show."""
START_SECOND = -1
"""The number of the second start hole; the first one is 0."""


class Meant(NamedTuple):
    """One turn as its player meant it. `is_unseen`: it ended in a dead hole."""

    track: int
    points: int
    score: int
    lifted_s: float
    seated_s: float
    is_unseen: bool


class Frame(NamedTuple):
    """The holes of each track that read, at a change."""

    at_s: float
    holes: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class RecordedGame:
    frames: list[Frame]
    meant: list[Meant]


@dataclass(frozen=True, slots=True)
class Wood:
    """The switches of all tracks: see `Halls`. One set of `dead` and one map of `stuck` holes a track."""

    period_s: float = 0.0
    chatters: float = 0.0
    dead: Sequence[frozenset[int]] = ()
    stuck: Sequence[Mapping[int, float]] = ()


class _Player:
    """One track in the making: whatever its magnets did so far, and when its player is free again."""

    def __init__(self, random: Random, style: Style, route: Sequence[int], target: int) -> None:
        self.hands = Hands(random, style, route, START_SECOND, target)
        self.magnets = [Magnet(0.0, hole, True) for hole in self.hands.holes]
        self.free_s = 1.0

    def move(self, gestures: Sequence[Gesture], from_s: float) -> float:
        """Carry out the gestures and say when the last one ended."""
        for gesture in gestures:
            from_s += gesture.after_s
            self.magnets.append(Magnet(from_s, gesture.hole, gesture.is_down))
        return from_s


def record_game(
    seed: int, route: Sequence[int], target: int, tracks: int, style: Style, wood: Wood | None = None
) -> RecordedGame:
    """Play until somebody stands in the game hole. `route` as in `Hands`."""
    random = Random(seed)
    wood = wood or Wood()
    players = [_Player(random, style, route, target) for _ in range(tracks)]
    turns = list(_turns(random, players, target))
    told = [_halls(random, wood, track).told(player.magnets) for track, player in enumerate(players)]
    return RecordedGame(_frames(told), [_as_told(turn, told[turn.track], wood, route) for turn in turns])


def trace_lines(game: RecordedGame, board: str, target: int) -> Iterator[str]:
    """The game as a recorded trace, one JSON object a line: what `cribboard replay` reads."""
    yield json.dumps({"board": board, "tracks": len(game.frames[0].holes), "target": target})
    for frame in game.frames:
        yield json.dumps({"t": round(frame.at_s, 4), "pegs": [_named(holes) for holes in frame.holes]})


def truth_lines(game: RecordedGame) -> Iterator[str]:
    """What was meant, one JSON object a turn."""
    for track, points, score, lifted_s, seated_s, is_unseen in game.meant:
        times_s = {"t_lift": round(lifted_s, 4), "t_seated": round(seated_s, 4)}
        yield json.dumps({"track": track, "points": points, "score": score, **times_s, "unseen": is_unseen})


def _named(holes: Iterable[int]) -> list[int | str]:
    return [{START_SECOND: "S1", 0: "S2"}.get(hole, hole) for hole in sorted(holes)]


def _turns(random: Random, players: Sequence[_Player], target: int) -> Iterator[Meant]:
    now_s = 1.0
    while all(player.hands.score < target for player in players):
        track = random.randrange(len(players))
        player, hands = players[track], players[track].hands
        lifted_s = max(now_s, player.free_s)
        before = hands.score
        points = random.choice([points for points in POINTS if hands.can_be_seen(points)])
        seated_s = player.move(hands.turn(points), lifted_s)
        yield Meant(track, hands.score - before, hands.score, lifted_s, seated_s, is_unseen=False)
        player.free_s = player.move(hands.fidget(), seated_s) + random.uniform(0.8, 2.5)
        is_at_once = random.random() < hands.style.at_once
        now_s = lifted_s + random.uniform(0.0, 0.8) if is_at_once else seated_s + random.uniform(0.1, 2.5)


def _halls(random: Random, wood: Wood, track: int) -> Halls:
    dead = wood.dead[track] if wood.dead else frozenset[int]()
    return Halls(random, wood.period_s, wood.chatters, dead, wood.stuck[track] if wood.stuck else {})


def _as_told(turn: Meant, told: Sequence[Magnet], wood: Wood, route: Sequence[int]) -> Meant:
    """The peg is seated when its switch came to rest, and unseen if that is a dead one."""
    hole = route[turn.score]
    rest_s = turn.seated_s + max(0.08, 1.5 * wood.period_s)
    bounces_s = [change.at_s for change in told if change.hole == hole and turn.seated_s <= change.at_s <= rest_s]
    is_unseen = bool(wood.dead) and hole in wood.dead[turn.track]
    return turn._replace(seated_s=max(bounces_s, default=turn.seated_s), is_unseen=is_unseen)


def _frames(told: Sequence[Sequence[Magnet]]) -> list[Frame]:
    changes = sorted((change, track) for track, own in enumerate(told) for change in own)
    holes: list[set[int]] = [set() for _ in told]
    frames = dict[float, Frame]()
    for change, track in changes:
        (holes[track].add if change.is_there else holes[track].discard)(change.hole)
        frames[change.at_s] = Frame(change.at_s, tuple(map(frozenset, holes)))
    return list(frames.values())
