"""How long the peg tracker waits, and where the times come from.

Hands and sensors set the limits. The figures are those of the recorded traces (tests/traces), of the simulated hands
that play further games (board_drivers/simulated_hands.py), and of the hall switches:

    what happens                                       lasts
    a contact chatters                                 at most 0.012 s
    a seated peg is jostled                            0.015 to 0.08 s
    a counting peg rests in a hole, or is in the air   0.06 to 0.22 s
    a peg rests in a wrong hole                        0.3 to 1.5 s
    a peg travels to its hole                          0.2 to 0.8 s
    a wiped board: between the two lifts               0.08 to 0.5 s
    a wiped board: both pegs away                      1.0 to 3.6 s
    a hall switch samples its magnet (20 Hz)           every 0.05 s, each switch on its own clock

A report should come at most 0.35 s after the peg is seated (the median over a game). `fall_s`, `settle_s` and
`fault_s` each stand just above one of these limits; `owed_settle_s` and `early_settle_s` stand below the longest rest
of a counting peg, because something else than the sensors confirms the move.
"""

from __future__ import annotations

from msgspec import Struct

from firmware_host.tracking.readings import Fault


class Timing(Struct, frozen=True):
    """The waits of the peg tracker, in seconds."""

    fall_s: float = 0.03
    """A hole that reads empty for this long is empty. Chatter lasts 0.012, a counting peg is away for 0.06 or more."""
    settle_s: float = 0.3
    """A move that held still for this long is reported. A counting peg rests for 0.22 at most."""
    owed_settle_s: float = 0.12
    """The same for a move by exactly the points that are owed."""
    early_settle_s: float = 0.2
    """The same once another track has lifted a peg: the next turn began."""
    lift_s: float = 0.07
    """A peg that counted as out for this long was lifted. With `fall_s` before it that is longer than a jostle."""
    unlikely_settle_s: float = 1.0
    """The wait for an unlikely move: longer than a hand, into a hole that does not read, or out of a suspected one."""
    return_s: float = 5.0
    """A peg that was only taken out for a moment is back within this; then it never made the move that was reported."""
    fault_s: float = 1.6
    """A fault that lasts this long is reported. Most wrong holes are corrected within 1.5."""
    in_hand_s: float = 3.0
    """A single peg that is out for this long is asked for; a move whose correction would be misread waits as long."""
    counting_s: float = 0.35
    """For this long after a report, the hand that seemed to make the move may be counting on."""
    together_s: float = 0.8
    """Two pegs lifted within this were taken out together. If one left earlier, it is lost."""
    correction_s: float = 2.0
    """For this long after a report, a peg that landed in a wrong hole may be corrected."""
    sensor_skew_s: float = 0.1
    """Two sensors may show one movement this far apart, in either order: a sampling period of 0.05, and `fall_s`."""

    def fault_delay_s(self, fault: Fault | None) -> float:
        """How long a fault must last before it is reported; None stands for a track in order again."""
        if fault is None or fault is Fault.MISPLACED:
            return self.settle_s
        return self.in_hand_s if fault in (Fault.FRONT_OUT, Fault.PEG_UNSEEN) else self.fault_s
