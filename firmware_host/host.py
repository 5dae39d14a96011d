"""The host: the one thread that scans, decides, journals and shows. Everybody else submits orders and reads snapshots.

A turn is durable before anybody sees it as final; a leap that has not yet held still may be shown at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue

from board_drivers.ports import Board, DriverFault, SensorFrame
from firmware_host.board.course import START_HOLES
from firmware_host.board.plan import BoardPlan, TargetNotCarried
from firmware_host.board.timing import Timing
from firmware_host.cribbage.refusals import Refusal
from firmware_host.cribbage.rules import RuleSet
from firmware_host.journal import Journal, JournalFault
from firmware_host.lamps import Lamps
from firmware_host.snapshot import Snapshot
from firmware_host.table import entries
from firmware_host.table import orders as o
from firmware_host.table.chronicle import Chronicle
from firmware_host.table.keys import press
from firmware_host.table.lights import HoleSignal, signals
from firmware_host.table.scoreboard import choices_of, page
from firmware_host.table.state import Table
from firmware_host.table.wording import fault_in_words, say_turn, waiting_for
from firmware_host.watch import Moved, PegWatch, observed

log = logging.getLogger(__name__)

HELD_S = 1.0
"""A key held this long means something else than a press."""
NOTICE_S = 4.0
"""How long a refusal stays on the first line."""
ANSWER_S = 10.0
"""How long a caller waits for the host's answer: a slow disk may take seconds."""


class BoardCannot(Refusal):
    """The board that was asked for is not here, or cannot carry the game."""

    kind = "board_cannot"


@dataclass(frozen=True, slots=True)
class House:
    """What a host is made of: the boards it may open, the usual games and names, and how often it looks."""

    plans: tuple[BoardPlan, ...]
    open_board: Callable[[BoardPlan], Board]
    set_out: Callable[[Board, SensorFrame], None]
    """Called when a game is begun or taken up, with the sensors that should see a peg. On a real board people do it."""
    games: tuple[RuleSet, ...]
    names: tuple[str, ...]
    scan_s: float = 0.02
    timing: Timing = Timing()


class Host:
    """One game on one board. `step` is one look at everything; `start` gives it a thread of its own."""

    def __init__(self, house: House, journal: Journal, clock: Callable[[], float]) -> None:
        self.house, self._journal, self._clock = house, journal, clock
        self._orders: SimpleQueue[tuple[entries.Wish, Future[Snapshot]]] = SimpleQueue()
        self._wake, self._news, self._stopping = threading.Event(), threading.Condition(), False
        self._thread: threading.Thread | None = None
        self._chronicle = resumed(journal)
        self._entry: entries.Entry = entries.Idle()
        self._fn_down_s: float | None = None
        self._notice, self._notice_until_s, self._trouble = "", 0.0, ""
        self._is_stale, self._scanned_s = True, clock()
        self.plan = self._plan_of_game()
        self.board = house.open_board(self.plan)
        self._set_out()
        self.snapshot = self._look(version=0)

    # For everybody.

    def submit(self, wish: entries.Wish) -> Snapshot:
        """Ask for something from any other thread, and wait until it is durable. Raises Refusal or JournalFault."""
        answer: Future[Snapshot] = Future()
        self._orders.put((wish, answer))
        self._wake.set()
        return answer.result(ANSWER_S)

    def wait_for_news(self, version: int, timeout_s: float) -> Snapshot:
        """The first snapshot later than `version`; after the time is up, whatever there is."""
        with self._news:
            self._news.wait_for(lambda: self.snapshot.version > version, timeout_s)
        return self.snapshot

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="host", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Lights out. The journal is whole at every moment, so there is nothing to save."""
        self._stopping = True
        self._wake.set()
        if self._thread:
            self._thread.join()
        self.board.close()
        self._journal.close()

    # The host's own thread.

    def _run(self) -> None:
        while not self._stopping:
            try:
                self.step()
            except Exception:  # a fault of ours must not end the game: say it, and look again
                log.exception("the host stumbled")
                self._trouble, self._is_stale = "A fault inside: see the log", True
                self._wake.wait(1.0)
            self._wake.wait(self._pause_s())
            self._wake.clear()

    def _pause_s(self) -> float:
        """Until the next scan, or until a leap that holds still settles, whichever is first."""
        due_s = self._scanned_s + self.house.scan_s
        if self._watch.deadline_s is not None:
            due_s = min(due_s, self._watch.deadline_s)
        return max(0.0, due_s - self._clock())

    def step(self) -> None:
        """One look at orders, keys and pegs, and the answer in lights and words."""
        self._take_orders()
        self._take_keys()
        self._read_pegs()
        if self._notice and self._clock() >= self._notice_until_s:
            self._notice, self._is_stale = "", True
        self._publish()

    def do(self, wish: entries.Wish) -> None:
        """Decide, make durable, believe. Raises Refusal or JournalFault, and then nothing has happened."""
        if isinstance(wish, entries.SettleNow):
            self._observe(self._watch.settle_now(self._clock()))
            return
        if isinstance(wish, o.StartGame):
            wish = self._seated(wish)
        events = self._chronicle.decide(wish)
        if events:
            self._journal.append(events)
            self._chronicle = self._chronicle.after(events)
            self._believe(is_new_game=isinstance(wish, o.StartGame))
        self._entry, self._is_stale = entries.Idle(), True

    def _take_orders(self) -> None:
        while True:
            try:
                wish, answer = self._orders.get_nowait()
            except Empty:
                return
            try:
                self.do(wish)
            except Exception as refused:  # it is the caller's: raised where it was asked for
                answer.set_exception(refused)
            else:
                self._publish()
                answer.set_result(self.snapshot)

    def _take_keys(self) -> None:
        for edge in self.board.keypad.edges():
            if edge.legend != entries.FN:
                if edge.is_down:
                    self._press(edge.legend)
            elif edge.is_down:
                self._fn_down_s = edge.at_s
            elif self._fn_down_s is not None:
                self._fn_down_s = None
                self._press(entries.FN)
        if self._fn_down_s is not None and self._clock() - self._fn_down_s >= HELD_S:
            self._fn_down_s = None
            self._press(entries.FN_HELD)

    def _press(self, key: str) -> None:
        pressed = press(self._entry, key, self._around())
        self._entry, self._notice, self._is_stale = pressed.entry, "", True
        if pressed.wish is not None:
            try:
                self.do(pressed.wish)
            except (Refusal, JournalFault) as refused:
                self._entry = entries.Idle()
                self._notify(str(refused))

    def _notify(self, sentence: str) -> None:
        self._notice, self._notice_until_s, self._is_stale = sentence, self._clock() + NOTICE_S, True

    def _read_pegs(self) -> None:
        self._scanned_s = self._clock()
        worn = len(self._watch.worn)
        try:
            is_new, moves = self._watch.look(self._scanned_s)
        except DriverFault as fault:
            self._is_stale |= self._trouble != str(fault)
            self._trouble = str(fault)
            return
        self._is_stale |= is_new or bool(self._trouble)
        self._trouble = ""
        self._observe(moves)
        for odd in self._watch.worn[worn:]:
            self._notify(fault_in_words(self.plan, odd))

    def _observe(self, moves: Iterable[Moved]) -> None:
        """Put what the pegs did before the table. What cannot be kept is not believed: the pegs are led back."""
        for moved in moves:
            assert self._chronicle.table is not None
            try:
                self.do(observed(moved, self._chronicle.table))
            except JournalFault as fault:
                self._notify(str(fault))
                self._watch.believe(self._chronicle.table, self._clock())

    # Beliefs.

    def _believe(self, is_new_game: bool) -> None:
        table = self._chronicle.table
        assert table is not None
        if is_new_game:
            plan = self._plan_of_game()
            if plan is not self.plan:
                self.board.close()
                self.plan, self.board = plan, self.house.open_board(plan)
            self._set_out()
        else:
            self._watch.believe(table, self._clock())

    def _set_out(self) -> None:
        """Watch and light the board for the game that is on."""
        table, timing = self._chronicle.table, self.house.timing
        self.house.set_out(self.board, believed_frame(self.plan, table))
        self._watch = PegWatch(self.plan, self.board.sensors, table, timing, self._clock())
        self._lamps = Lamps(self.plan, self.board.lights)

    def _plan_of_game(self) -> BoardPlan:
        table, plans = self._chronicle.table, self.house.plans
        return next((plan for plan in plans if table and plan.id == table.board), plans[0])

    def _seated(self, order: o.StartGame) -> o.StartGame:
        """The game on a board that is here and carries it; sides beyond its tracks are moved by the table."""
        plan = next((plan for plan in self.house.plans if plan.id == (order.board or self.plan.id)), None)
        if plan is None:
            here = ", ".join(plan.id for plan in self.house.plans)
            raise BoardCannot(f"a board that is here ({here})", order.board)
        try:
            plan.course(order.rules.target)
        except TargetNotCarried as cannot:
            carried = ", ".join(map(str, cannot.carried))
            raise BoardCannot(f"a target that {plan.id} carries ({carried})", str(cannot.target)) from None
        return replace(order, board=plan.id, sides_on_board=min(plan.tracks, len(order.rules.sides)))

    def _around(self) -> entries.Surroundings:
        offers = tuple(entries.BoardOffer(plan.id, plan.tracks, plan.targets) for plan in self.house.plans)
        table = self._chronicle.table
        names = table.names if table else self.house.names
        return entries.Surroundings(table, bool(self._watch.pending), offers, self.house.games, names)

    # Showing.

    def _publish(self) -> None:
        """Lights at once, then the display, then the news; lights also blink by themselves."""
        is_stale, self._is_stale = self._is_stale, False
        fresh = self._look(self.snapshot.version + 1) if is_stale else self.snapshot
        self._try(self._lamps.show, fresh.signals, self._clock())
        if is_stale:
            self._try(self.board.scoreboard.show, fresh.page)
            with self._news:
                self.snapshot = fresh
                self._news.notify_all()

    def _try(self, show: Callable[..., None], *what: object) -> None:
        """The game goes on in the dark, and without its display."""
        try:
            show(*what)
        except DriverFault as fault:
            log.warning("%s", fault)

    def _look(self, version: int) -> Snapshot:
        table, watch = self._chronicle.table, self._watch
        prompt = waiting_for(table, self._entry, watch.pending, watch.astray, self._trouble or self._notice)
        said = say_turn(self._chronicle.last) if self._chronicle.last else ""
        return Snapshot(
            version,
            self.plan,
            self._chronicle,
            self._entry,
            watch.seen,
            watch.pending,
            watch.astray,
            self._signals(table),
            page(prompt, table, said, choices_of(self._entry, self._around())),
            prompt,
            self._trouble,
            self._notice,
        )

    def _signals(self, table: Table | None) -> tuple[HoleSignal, ...]:
        if table is None or not table.sides_on_board:
            return ()
        watch = self._watch
        return signals(table, self.plan.course(table.rules.target), watch.seen, watch.pending, watch.astray)


def resumed(journal: Journal) -> Chronicle:
    """The game that was on when the power went; a demonstration is not taken up again."""
    chronicle = Chronicle()
    for turn in journal.current_game():
        chronicle = chronicle.after(turn)
    return Chronicle() if chronicle.table and chronicle.table.is_demo else chronicle


def believed_frame(plan: BoardPlan, table: Table | None) -> SensorFrame:
    """The sensors that see a peg if all stand where the table believes them; without a game, in the start holes."""
    if table is None:
        return plan.frame_of([START_HOLES] * plan.tracks)
    course = plan.course(table.rules.target)
    return plan.frame_of(course.holes_of(pegs) for pegs in table.pegs[: table.sides_on_board])
