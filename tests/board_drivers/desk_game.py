"""A game that two people play by keys alone, with a pack of cards and a board of their own: no magnets, no sensors.

The cards of every deal are the same, so each deal brings the dealer 16 points and the other player 8.
"""

from __future__ import annotations

from collections.abc import Callable

DESK = {"kit": "desk"}
"""The settings of a keypad and a display on the header, and nothing else."""
NEW_GAME = ("ENTER", "ENTER", "ENTER", "2", "ENTER", "A")
"""Six cards, this board, to 61; Ann deals."""
STARTER = ("FN", "FN", "5", "J")
"""FN twice, for a bare key scores; then the five of spades."""
PLAY = ("10", "6", "K", "4", "A", "7", "8", "9")
"""31 for 2; then 15 for 2, a run of three and the last card."""
SHOW = ("ENTER", "10", "ENTER", "10", "2", "3", "Q", "9", "ENTER", "10")
"""Ten, king, ace, eight: 4. Six, four, seven, nine: 8. The crib of two, three, queen, nine: 4. None has a flush."""
DEAL = (*STARTER, *PLAY, *SHOW, "ENTER")
DEALERS_POINTS, OTHERS_POINTS = 16, 8
TARGET = 61

Scores = tuple[int, int]


def play_game(press: Callable[[str], None], scores: Callable[[], Scores], check: Callable[[Scores], None]) -> None:
    """Presses the keys of a whole game. `check` gets the scores that the display must show after each deal."""
    for legend in NEW_GAME:
        press(legend)
    expected = [0, 0]
    dealer = 0
    while max(expected) < TARGET:
        for legend in DEAL:
            press(legend)
            if max(scores()) >= TARGET:
                break
        expected[dealer] += DEALERS_POINTS
        expected[1 - dealer] += OTHERS_POINTS
        dealer = 1 - dealer
        if max(expected) < TARGET:
            check((expected[0], expected[1]))
