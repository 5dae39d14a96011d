"""The penalties for pegs that the board offers now. The players give them, or do not.

A penalty is offered only where the rules of this game have one, and only while the board shows what it is for: holes
moved too far (`game/rulings.py`), a front peg that is out, or a peg that stands in the track of another side.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from firmware_host.cribbage.options import ForeignPeg, FrontPegRemoved, PegPolicy
from firmware_host.game import commands as c
from firmware_host.game.events import Breach
from firmware_host.game.overruns import breach_of_excess
from firmware_host.game.rulings import excess_to_rule
from firmware_host.game.state import Phase, Table
from firmware_host.tracking.readings import Fault, TrackFault


def offered_rulings(table: Table | None, faults: Collection[TrackFault]) -> tuple[c.RuleBreach, ...]:
    """The penalties that may be given now. `faults` are those of pegs for which none was given yet."""
    if table is None or table.phase is Phase.OVER:
        return ()
    by_acc = table.rules.peg_policy is PegPolicy.ACC
    return (*(_of_excess(table) if by_acc else ()), *(_of_faults(table, faults) if faults else ()))


def _of_excess(table: Table) -> Iterator[c.RuleBreach]:
    for side in range(len(table.sides)):
        if excess_to_rule(table, side):
            yield c.RuleBreach(side, breach_of_excess(table, side, table.sides[side].reported_excess))


def _of_faults(table: Table, faults: Collection[TrackFault]) -> Iterator[c.RuleBreach]:
    rules = table.rules
    for fault in faults:
        side = fault.track
        match fault.fault:
            case Fault.FRONT_OUT if rules.front_peg_removed is FrontPegRemoved.BECOMES_REAR:
                if table.sides[side].pegs.front:
                    yield c.RuleBreach(side, Breach.FRONT_PEG)
            case Fault.FOREIGN_LANE if rules.foreign_peg is ForeignPeg.PENALTY:
                for owner in fault.lacking:
                    yield c.RuleBreach(side, Breach.FOREIGN_PEG, owner)


def is_about(fault: TrackFault, ruling: c.RuleBreach) -> bool:
    """Whether the fault is of the peg that the penalty was for. A front peg in the track of another side is a fault of
    both tracks: its owner moved it there, or somebody else did, but not both."""
    in_other_track = ruling.breach is Breach.FRONT_PEG and fault.lacking == (ruling.side,)
    return fault.track in (ruling.side, ruling.owner) or in_other_track
