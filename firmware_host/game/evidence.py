"""What is known of the pegs besides the events: whether only sensors report them, and whether they can be believed now.

A sensor is no witness. A weak one loses a peg that stands in its hole, a magnet shows one where none is, and none of
them sees whose hand moved it. So a penalty for a peg that only sensors report waits until the players give it
(`rulings.py`), and nobody loses points while the sensors cannot tell where the pegs of that side are.
"""

from __future__ import annotations

from msgspec import Struct

NO_SIDES: frozenset[int] = frozenset()


class Evidence(Struct, frozen=True):
    """What is known of the pegs at the moment of a command."""

    sensed: frozenset[int] = NO_SIDES
    """The sides whose pegs only sensors report; moves of the others were entered by people."""
    doubtful: frozenset[int] = NO_SIDES
    """Those of them whose pegs do not stand where the game has them, or are not seen: nothing of theirs is lost now."""


ENTERED = Evidence()
"""People entered every move."""
