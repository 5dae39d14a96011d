"""Records a game of simulated hands on simulated switches: the sensor frames, and the turns the players intended."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from msgspec import Struct

from board_drivers.simulated_hands import Gesture, SimulatedHands, Style
from tests.tracking.simulated_switches import MagnetEdge, SimulatedSwitches

POINTS = (1, 1, 1, 2, 2, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 7, 8, 8, 8, 9, 10, 12, 12, 14, 16, 17, 20, 21, 24, 28, 29)
"""Points of one turn, each about as frequent as in the play and the show."""
START_SECOND = -1
"""The number of the second start hole; the first one is 0."""


class IntendedTurn(NamedTuple):
    """One turn as its player intended it.

    `lifted_s`, `seated_s`: when the peg was first lifted, and when its switch settled. `is_unseen`: it ended in a dead
    hole.
    """

    track: int
    points: int
    score: int
    lifted_s: float
    seated_s: float
    is_unseen: bool


class Frame(NamedTuple):
    """The holes of each track that read as full from `at_s` on. There is one frame for every change."""

    at_s: float
    holes: tuple[frozenset[int], ...]


class RecordedGame(Struct, frozen=True):
    """The sensor frames in order of time, and the turns in the order in which they were played."""

    frames: list[Frame]
    intended: list[IntendedTurn]


class SwitchSettings(Struct, frozen=True):
    """The switches of all tracks: see `SimulatedSwitches`. `dead` and `stuck` are empty or have one entry a track."""

    period_s: float = 0.0
    bounce_share: float = 0.0
    dead: Sequence[frozenset[int]] = ()
    stuck: Sequence[Mapping[int, float]] = ()


class _Player:
    """One track while the game is recorded: its magnet edges so far, and when its player may start the next turn."""

    def __init__(self, random: Random, style: Style, route: Sequence[int], target: int) -> None:
        self.hands = SimulatedHands(random, style, route, START_SECOND, target)
        self.magnets = [MagnetEdge(0.0, hole, True) for hole in self.hands.holes]
        self.free_s = 1.0

    def move(self, gestures: Sequence[Gesture], from_s: float) -> float:
        """Record the edges of these gestures; returns the time of the last one."""
        for gesture in gestures:
            from_s += gesture.after_s
            self.magnets.append(MagnetEdge(from_s, gesture.hole, gesture.is_down))
        return from_s


def record_game(
    seed: int, route: Sequence[int], target: int, tracks: int, style: Style, switches: SwitchSettings | None = None
) -> RecordedGame:
    """Play until one player reaches `target`. `route` as in `SimulatedHands`. The same arguments give the same game."""
    random = Random(seed)
    switches = switches or SwitchSettings()
    players = [_Player(random, style, route, target) for _ in range(tracks)]
    turns = list(_turns(random, players, target))
    edges = [_switches_of(random, switches, track).report(player.magnets) for track, player in enumerate(players)]
    return RecordedGame(_frames(edges), [_as_reported(turn, edges[turn.track], switches, route) for turn in turns])


def trace_lines(game: RecordedGame, board: str, target: int) -> Iterator[str]:
    """The game as a trace that `cribboard replay` reads: one JSON object a line, the first one a header."""
    yield json.dumps({"board": board, "tracks": len(game.frames[0].holes), "target": target})
    for frame in game.frames:
        yield json.dumps({"t": round(frame.at_s, 4), "pegs": [_named(holes) for holes in frame.holes]})


def truth_lines(game: RecordedGame) -> Iterator[str]:
    """The intended turns, one JSON object a line."""
    for track, points, score, lifted_s, seated_s, is_unseen in game.intended:
        times_s = {"t_lift": round(lifted_s, 4), "t_seated": round(seated_s, 4)}
        yield json.dumps({"track": track, "points": points, "score": score, **times_s, "unseen": is_unseen})


def _named(holes: Iterable[int]) -> list[int | str]:
    return [{START_SECOND: "S1", 0: "S2"}.get(hole, hole) for hole in sorted(holes)]


def _turns(random: Random, players: Sequence[_Player], target: int) -> Iterator[IntendedTurn]:
    now_s = 1.0
    while all(player.hands.score < target for player in players):
        track = random.randrange(len(players))
        player = players[track]
        hands = players[track].hands
        lifted_s = max(now_s, player.free_s)
        before = hands.score
        points = random.choice([points for points in POINTS if hands.is_visible(points)])
        seated_s = player.move(hands.turn(points), lifted_s)
        yield IntendedTurn(track, hands.score - before, hands.score, lifted_s, seated_s, is_unseen=False)
        player.free_s = player.move(hands.touch_seated_pegs(), seated_s) + random.uniform(0.8, 2.5)
        overlaps = random.random() < hands.style.overlaps
        now_s = lifted_s + random.uniform(0.0, 0.8) if overlaps else seated_s + random.uniform(0.1, 2.5)


def _switches_of(random: Random, switches: SwitchSettings, track: int) -> SimulatedSwitches:
    dead = switches.dead[track] if switches.dead else frozenset[int]()
    stuck = switches.stuck[track] if switches.stuck else {}
    return SimulatedSwitches(random, switches.period_s, switches.bounce_share, dead, stuck)


def _as_reported(
    turn: IntendedTurn, edges: Sequence[MagnetEdge], switches: SwitchSettings, route: Sequence[int]
) -> IntendedTurn:
    """The turn with `seated_s` moved to when its switch stopped bouncing, and `is_unseen` set for a dead hole."""
    hole = route[turn.score]
    rest_s = turn.seated_s + max(0.08, 1.5 * switches.period_s)
    bounces_s = [edge.at_s for edge in edges if edge.hole == hole and turn.seated_s <= edge.at_s <= rest_s]
    is_unseen = bool(switches.dead) and hole in switches.dead[turn.track]
    return turn._replace(seated_s=max(bounces_s, default=turn.seated_s), is_unseen=is_unseen)


def _frames(edges: Sequence[Sequence[MagnetEdge]]) -> list[Frame]:
    """One frame for each time at which a track has an edge; `edges` has one sequence a track."""
    merged = sorted((edge, track) for track, own in enumerate(edges) for edge in own)
    holes: list[set[int]] = [set() for _ in edges]
    frames = dict[float, Frame]()
    for edge, track in merged:
        (holes[track].add if edge.is_present else holes[track].discard)(edge.hole)
        frames[edge.at_s] = Frame(edge.at_s, tuple(map(frozenset, holes)))
    return list(frames.values())
