"""How long hands take, and therefore how long the reader waits."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.board.readings import Fault


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. A hand that counts rests 0.06 to 0.22 in each hole, jostles for 0.08, mends a wrong hole after 1.5."""

    fall_s: float = 0.03
    """A silent hole is believed empty after this: contacts chatter for 0.012, counting fingers lift for 0.06."""
    settle_s: float = 0.3
    """A move that held still is told."""
    owed_s: float = 0.12
    """So is a move by exactly what is owed."""
    hurry_s: float = 0.2
    """So is any move, once another track lifts a peg."""
    lift_s: float = 0.07
    """A peg that was out for so long, after `fall_s`, was lifted and not jostled."""
    doubt_s: float = 1.0
    """A move that is hard to believe: longer than a hand, or into a hole that says nothing."""
    return_s: float = 5.0
    """A peg that was only taken out for a moment is back by then: so it never made the move that was told."""
    odd_s: float = 1.6
    """An odd board is named; most wrong holes are mended before."""
    hand_s: float = 3.0
    """A peg out for so long is asked for."""
    fresh_s: float = 0.35
    """For so long after a move was told, the hand that seemed to make it may still be on its way."""
    lone_s: float = 0.8
    """Both pegs are taken out one after the other within this; a peg out before that is lost."""
    mend_s: float = 2.0
    """For so long after it, a peg that landed wrong may still be mended."""
    sensor_s: float = 0.1
    """Two sampled sensors may tell one movement this far apart, in either order: a period of 0.05, and `fall_s`."""

    def patience_s(self, fault: Fault | None) -> float:
        """How long a track must look like this before it is told; None: like a track in order."""
        if fault is None or fault is Fault.MISPLACED:
            return self.settle_s
        return self.hand_s if fault in (Fault.FRONT_OUT, Fault.PEG_UNSEEN) else self.odd_s
