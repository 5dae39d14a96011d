"""Two pegs of a side and what a move of theirs is worth: the leapfrog, pegging back, and the verdicts on a move."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Pegs(NamedTuple):
    """The scores at which the pegs stand. The front peg is the score of the side."""

    front: int = 0
    rear: int = 0

    def leap(self, points: int, target: int) -> Pegs:
        """The rear peg passes the front peg; holes past the game hole do not exist."""
        return Pegs(min(self.front + points, target), self.front)

    def back(self, points: int) -> Pegs:
        """Pegging back: the front peg goes back, and the other one stands directly behind it where it must give way."""
        front = max(0, self.front - points)
        if front == 0:
            return Pegs()
        return Pegs(front, self.rear if self.rear < front else front - 1)

    def slide(self, points: int) -> Pegs:
        """The front peg itself moves forward or back."""
        return Pegs(self.front + points, self.rear) if points >= 0 else self.back(-points)


def hole(score: int, target: int) -> str:
    """The hole of a score on a lapped board of 60 holes: `start`, `game`, or `13 outer lap 1`."""
    if score <= 0:
        return "start"
    if score >= target:
        return "game"
    number = (score - 1) % 60 + 1
    return f"{number} {'outer' if number <= 30 else 'inner'} lap {(score - 1) // 60 + 1}"


class Verdict(Enum):
    """What an observed move is, compared with the points that were due."""

    NONE = "none"
    EXACT = "exact"
    UNDER = "under"
    OVER = "over"
    FALSE_GAME = "false_game"
    WRONG_DIRECTION = "wrong_direction"


def judge(before: Pegs, after: Pegs, due: int, target: int) -> tuple[Verdict, int]:
    """The verdict on a move when `due` points could be pegged, and by how many holes it is wrong."""
    right = min(due, target - before.front)
    moved = after.front - before.front
    if after == before:
        return (Verdict.NONE, right) if right else (Verdict.EXACT, 0)
    if moved <= 0:
        return Verdict.WRONG_DIRECTION, -moved
    if moved == right:
        return Verdict.EXACT, 0
    if moved < right:
        return Verdict.UNDER, right - moved
    excess = min(after.front, target) - before.front - right
    return (Verdict.FALSE_GAME if after.front >= target else Verdict.OVER), excess
