"""What a host is made of: the boards that are here, and how the household plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from board_drivers.ports import Board, CardReader, SensorFrame
from firmware_host.board.plan import BoardPlan, TargetNotCarried
from firmware_host.board.timing import Timing
from firmware_host.cribbage.cards import Card, parse_card
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.table.manner import Manner
from firmware_host.table.orders import StartGame
from firmware_host.table.state import Table
from firmware_host.table.words import Words, as_written


class BoardCannot(Refusal):
    """The board that was asked for is not here, or cannot carry the game."""

    kind = "board_cannot"
    sentence = "This board cannot carry that game"


@dataclass(frozen=True, slots=True)
class House:
    """What a host is made of: the boards it may open, the usual games and names, and how often it looks."""

    plans: tuple[BoardPlan, ...]
    open_board: Callable[[BoardPlan], Board]
    set_out: Callable[[Board, SensorFrame], None]
    """Called when a game is begun or taken up, with the sensors that should see a peg. On a real board people do it."""
    games: tuple[RuleSet, ...] = ()
    names: tuple[str, ...] = ()
    scan_s: float = 0.02
    timing: Timing = Timing()
    manner: Manner = Manner.TEACHER
    words: Words = as_written
    """The language of the display."""
    has_sound: bool = True
    """Whether the board says by ear, too, what became of a peg or a key."""
    address: str = "http://localhost:8080/"
    """Where phones find the panel."""
    keep_wiring: Callable[[BoardPlan], None] | None = None
    """Keeps a plan with its strips as a lesson found them, or raises HostFault. None: this board needs no lesson."""
    beat: Callable[[], None] = lambda: None
    """Called after each look at everything that went well."""
    reader: CardReader | None = None
    """Where tagged cards are read, if anywhere."""
    card_of: Callable[[str], Card] = parse_card
    """The card of a tag. Raises Refusal."""

    def plan_of(self, table: Table | None) -> BoardPlan:
        """The board of a game; the first one where there is no game, or where its board is not here."""
        return next((plan for plan in self.plans if table and plan.id == table.board), self.plans[0])

    def seated(self, order: StartGame, usual: BoardPlan) -> StartGame:
        """The game on a board that is here and carries it; sides beyond its tracks are moved by the table."""
        plan = next((plan for plan in self.plans if plan.id == (order.board or usual.id)), None)
        if plan is None:
            here = ", ".join(plan.id for plan in self.plans)
            raise BoardCannot(f"a board that is here ({here})", order.board)
        try:
            plan.course(order.rules.target)
        except TargetNotCarried as cannot:
            carried = ", ".join(map(str, cannot.carried))
            raise BoardCannot(f"a target that {plan.id} carries ({carried})", str(cannot.target)) from None
        return replace(order, board=plan.id, sides_on_board=min(plan.tracks, len(order.rules.sides)))

    def rewired(self, plan: BoardPlan, order: tuple[int, ...]) -> tuple[House, BoardPlan]:
        """Once it is kept: the house whose board has its strips as a lesson found them. Raises HostFault."""
        assert self.keep_wiring is not None
        wired = plan.rewired(order)
        self.keep_wiring(wired)
        return replace(self, plans=(wired, *(other for other in self.plans if other is not plan))), wired
