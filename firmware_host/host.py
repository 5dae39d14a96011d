"""The host: the one thread that scans, decides, journals and shows. Everybody else submits orders and reads snapshots.

A turn is durable before anybody sees it as final; a leap that has not yet held still may be shown at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path

from board_drivers.ports import DriverFault
from firmware_host.cribbage.refusals import Refusal
from firmware_host.doorplate import Picture, doorplate
from firmware_host.errands import Errands
from firmware_host.faults import HostFault
from firmware_host.front import Front
from firmware_host.health import DISK, INSIDE, MAGNET, SENSORS, Health
from firmware_host.house import House
from firmware_host.journal import Journal, JournalFault
from firmware_host.lesson import Lesson
from firmware_host.phones import PhoneBook
from firmware_host.porch import Porch
from firmware_host.presses import Presses
from firmware_host.rescue import Loss
from firmware_host.scorebook import Scorebook
from firmware_host.snapshot import Snapshot
from firmware_host.table import entries
from firmware_host.table import orders as o
from firmware_host.table.door import CloseDoor, LetIn, OpenDoor, SendAway, TurnAway, asked_at_door
from firmware_host.table.hindrances import (
    board_unread,
    cannot_save,
    fault_inside,
    magnet_near,
    nothing_hinders,
)
from firmware_host.table.keys import press
from firmware_host.table.lights import HoleSignal, signals, walk
from firmware_host.table.manner import Manner
from firmware_host.table.refusing import say_refused
from firmware_host.table.scoreboard import choices_of, page
from firmware_host.table.sounds import Sound, sound_of
from firmware_host.table.state import Table
from firmware_host.table.tagged import lay
from firmware_host.table.wording import fault_in_words, key_is_stuck, say_turn, waiting_for
from firmware_host.table.words import Saying
from firmware_host.trace_log import TraceLog
from firmware_host.troubles import Troubles
from firmware_host.watch import Noted, PegWatch, believed_frame, observed

log = logging.getLogger(__name__)

NOTICE_S = 4.0
"""How long a refusal stays on the first line."""
JUDGED_S = 10.0
"""How long a silent referee speaks once it is asked."""
SAVE_AGAIN_S = 1.0
"""How long to leave a disk alone that would not do as asked."""


class Host:
    """One game on one board. `step` is one look at everything; `start` gives it a thread of its own."""

    def __init__(
        self,
        house: House,
        journal: Journal,
        clock: Callable[[], float],
        phones: PhoneBook | None = None,
        trace: TraceLog | None = None,
        loss: Loss | None = None,
    ) -> None:
        self.house, self._clock, self._trace = house, clock, trace
        self._book = Scorebook(journal, {plan.id for plan in house.plans})
        self.porch = Porch(phones or PhoneBook(), clock)
        self._door = self.porch.door()
        self._wake, self._news, self._stopping = threading.Event(), threading.Condition(), False
        self._errands = Errands(self._wake.set)
        self._thread: threading.Thread | None = None
        self._entry: entries.Entry = entries.Idle()
        self._troubles = Troubles()
        self._notice: Saying | None = None
        self._notice_until_s = 0.0
        self._unkept: list[Noted] = []
        self._lesson: Lesson | None = None
        self._save_again_s = 0.0
        self._manner, self._judged_until_s = house.manner, 0.0
        self._unread = ""
        self._is_stale, self._scanned_s = True, clock()
        self._walk_from_s: float | None = None
        self._presses_told: dict[str, int] = {}
        self.plan = self.house.plan_of(self._book.table)
        self.board = house.open_board(self.plan)
        self._set_out()
        if self._trace and self._book.table:
            self._trace.go_on()
        self.loss = loss
        if loss:  # said until a key is pressed
            self._notice, self._notice_until_s = lambda _: _("Journal was mended"), inf
        self.snapshot = self._look(version=0)

    # For everybody.

    @property
    def journal_path(self) -> Path | None:
        """None of a journal in memory."""
        return self._book.path

    def submit(self, wish: entries.Wish) -> Snapshot:
        """Ask for something from any other thread, and wait until it is durable. Raises Refusal or JournalFault."""
        return self._errands.ask(partial(self.do, wish))

    def refurnish(self, house: House) -> None:
        """Go on with another house, of the same boards: its games, names, manner and words. From any other thread."""
        self._errands.ask(partial(self._move_into, house))

    def put_back(self, source: Path) -> Snapshot:
        """Let the copy in `source` take the place of all games. From any other thread. Raises JournalFault."""
        return self._errands.ask(partial(self._put_back, source))

    def wait_for_news(self, version: int, timeout_s: float) -> Snapshot:
        """The first snapshot later than `version`; after the time is up, whatever there is."""
        with self._news:
            self._news.wait_for(lambda: self.snapshot.version > version, timeout_s)
        return self.snapshot

    @property
    def health(self) -> Health:
        """How the parts are since the host was made."""
        return Health(self._troubles.now, self._troubles.times, self._presses_told)

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
        self._book.close()
        if self._trace:
            self._trace.close()

    # The host's own thread.

    def _run(self) -> None:
        while not self._stopping:
            try:
                self.step()
                self.house.beat()
            except Exception:  # a fault of ours must not end the game: say it, and look again
                log.exception("the host stumbled")
                self._hear(INSIDE, fault_inside())
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
        self._errands.run(self._publish)
        self._look_at_door()
        if self._lesson:
            self._teach(self._lesson)
        else:
            self._read_keys()
            self._read_cards()
            self._read_pegs()
        self._let_words_fade()
        self._walk_on()
        self._publish()
        self._hear(INSIDE, "")

    def _hear(self, part: str, sentence: str) -> None:
        self._is_stale |= self._troubles.hear(part, sentence)

    def _walk_on(self) -> None:
        """While the lights are looked at, each hole has its turn."""
        if self._walk_from_s is None:
            return
        here = walk(self.plan, self._clock() - self._walk_from_s)
        self._is_stale |= here != self.snapshot.signals
        self._walk_from_s = self._walk_from_s if here else None

    def _let_words_fade(self) -> None:
        """A refusal was read by now; a judgement was given."""
        if self._notice and self._clock() >= self._notice_until_s:
            self._notice, self._is_stale = None, True
        if self._judged_until_s and self._clock() >= self._judged_until_s:
            self._judged_until_s, self._is_stale = 0.0, True

    def do(self, wish: entries.Wish) -> None:
        """Decide, make durable, believe. Raises Refusal or JournalFault, and then nothing has happened."""
        match wish:
            case entries.SettleNow():
                self._observe(self._watch.settle_now(self._clock()))
            case entries.SetManner(manner):
                self._manner = manner
            case entries.Judge():
                self._judged_until_s = self._clock() + JUDGED_S
            case entries.TestLights():
                self._walk_from_s = self._clock()
            case OpenDoor() | CloseDoor() | LetIn() | TurnAway() | SendAway():
                self.porch.do(wish)
                self._look_at_door()
            case entries.LearnWiring():
                self._lesson = Lesson(self.plan)
            case o.StartGame():
                self._keep_moves()
                self._take_turn(self.house.seated(wish, self.plan))
            case _:
                self._keep_moves()
                self._take_turn(wish)
        self._is_stale = True

    def _take_turn(self, wish: o.Order | o.Observation) -> None:
        self._walk_from_s = None  # the game needs its lights
        before = self._book.table
        events = self._book.take(wish)
        if not events:
            return
        if asked_of(before) != asked_of(self._book.table):
            self._entry = entries.Idle()  # what is half typed answers a question of the past
        self._believe(is_new_game=isinstance(wish, o.StartGame))
        self._play(sound_of(events, self._manner))

    def _put_back(self, source: Path) -> None:
        self._book.put_back(source)
        self._entry, self._unkept, self._is_stale = entries.Idle(), [], True
        self._open_board_of_game()

    def _move_into(self, house: House) -> None:
        if house.manner is not self.house.manner:
            self._manner = house.manner
        self.house, self._is_stale = house, True

    def _look_at_door(self) -> None:
        self._door, before = self.porch.door(), self._door
        self._is_stale |= self._door != before

    def _read_keys(self) -> None:
        now_s = self._clock()
        for key in self._presses.read(now_s):
            self._press(key)
        for key in self._presses.stuck(now_s):
            self._notify(partial(key_is_stuck, key))

    def _press(self, key: str) -> None:
        if not self.porch.is_hushed:
            if not isinstance(self._entry, entries.TypingDeal):
                self._presses_told = {**self._presses_told, key: self._presses_told.get(key, 0) + 1}
            self._heed(press(self._entry, key, self._around()))

    def _read_cards(self) -> None:
        """The game goes on without its reader: cards can be typed."""
        try:
            tags = self.house.reader.tags() if self.house.reader else ()
        except DriverFault as fault:
            log.warning("%s", fault)
            return
        for tag in tags:
            try:
                card = self.house.card_of(tag)
            except Refusal as unknown:
                self._refuse(unknown)
            else:
                self._heed(lay(self._entry, card, self._around()))

    def _heed(self, pressed: entries.Pressed) -> None:
        self._entry, self._notice, self._is_stale = pressed.entry, None, True
        if pressed.wish is not None:
            try:
                self.do(pressed.wish)
            except (Refusal, HostFault) as refused:
                self._entry = entries.Idle()
                self._refuse(refused)

    def _refuse(self, refused: Refusal | HostFault) -> None:
        """Said to hands at the board; a phone is told by its own page."""
        if isinstance(refused, HostFault):
            log.warning("%s", refused)
        self._notify(partial(say_refused, refused) if isinstance(refused, Refusal) else cannot_save)
        self._play(Sound.REFUSED)

    def _play(self, sound: Sound | None) -> None:
        if sound and self.house.has_sound:
            self.board.sounder.play(sound.tune)

    def _notify(self, saying: Saying) -> None:
        self._notice, self._notice_until_s, self._is_stale = saying, self._clock() + NOTICE_S, True

    def _read_pegs(self) -> None:
        self._scanned_s = self._clock()
        worn = len(self._watch.worn)
        try:
            is_new, moves = self._watch.look(self._scanned_s)
        except DriverFault as fault:
            self._unread = fault.device
            self._hear(SENSORS, str(fault))
            return
        self._hear(SENSORS, "")
        self._hear(MAGNET, magnet_near(self.house.words) if self._watch.is_blinded else "")
        self._is_stale |= is_new
        if self._trace and is_new:
            self._trace.note(self._scanned_s, self._watch.seen)
        self._observe(moves)
        for odd in self._watch.worn[worn:]:
            self._notify(partial(fault_in_words, self.plan, odd))

    def _observe(self, moves: Sequence[Noted]) -> None:
        """Put what the pegs did before the table. What cannot be written yet waits, and is tried again."""
        self._unkept += moves
        if not moves and self._clock() < self._save_again_s:
            return
        with suppress(JournalFault):
            self._keep_moves()

    def _keep_moves(self) -> None:
        """Everything that the pegs did and that is not durable yet, oldest first. Raises JournalFault."""
        while self._unkept:
            assert self._book.table is not None
            try:
                self._take_turn(observed(self._unkept[0], self._book.table))
            except JournalFault as fault:
                self._save_again_s = self._clock() + SAVE_AGAIN_S
                self._hear(DISK, str(fault))
                raise
            del self._unkept[0]
            self._is_stale = True
        self._hear(DISK, "")

    # A wiring lesson.

    def _teach(self, lesson: Lesson) -> None:
        self._scanned_s = self._clock()
        for key in self._presses.read(self._scanned_s):
            lesson.press(key)
            self._is_stale = True
        try:
            self._is_stale |= lesson.look(self.board.sensors.scan())
        except DriverFault as fault:
            self._unread = fault.device
            self._hear(SENSORS, str(fault))
        else:
            self._hear(SENSORS, "")
        if lesson.is_over:
            self._end_lesson(lesson)

    def _end_lesson(self, lesson: Lesson) -> None:
        self._lesson, keep = None, self.house.keep_wiring
        if not (lesson.order and keep):
            self._notify(lambda _: _("Nothing new was learnt"))
        else:
            try:
                self.house, self.plan = self.house.rewired(self.plan, lesson.order)
            except HostFault as fault:
                log.warning("%s", fault)
                self._notify(cannot_save)
            else:
                self._notify(lambda _: _("The wiring is learnt"))
        self._set_out()

    # Beliefs.

    def _believe(self, is_new_game: bool) -> None:
        table = self._book.table
        assert table is not None
        if is_new_game:
            self._open_board_of_game()
            if self._trace:
                self._trace.begin(self.plan.id, self.plan.tracks, table.rules.target)
        else:
            self._watch.believe(table, self._clock())

    def _open_board_of_game(self) -> None:
        plan = self.house.plan_of(self._book.table)
        if plan is not self.plan:
            self.board.close()
            self.plan, self.board = plan, self.house.open_board(plan)
        self._set_out()

    def _set_out(self) -> None:
        """Watch and light the board for the game that is on."""
        table, timing = self._book.table, self.house.timing
        self.house.set_out(self.board, believed_frame(self.plan, table))
        self._watch = PegWatch(self.plan, self.board.sensors, table, timing, self._clock())
        self._front, self._presses = Front(self.plan, self.board, self._troubles), Presses(self.board.keypad)

    def _around(self) -> entries.Surroundings:
        offers = tuple(entries.BoardOffer(plan.id, plan.tracks, plan.targets) for plan in self.house.plans)
        table = self._book.table
        named = table.names if table else ()
        names = (*named, *self.house.names[len(named) :])
        pending, games = bool(self._watch.pending), self.house.games
        can_learn = self.house.keep_wiring is not None
        return entries.Surroundings(table, pending, offers, games, names, self._door, self._manner, can_learn)

    # Showing.

    def _publish(self) -> Snapshot:
        """The board first, then the news."""
        is_new, self._is_stale = self._is_stale, False
        fresh = self._look(self.snapshot.version + 1) if is_new else self.snapshot
        self._front.show(fresh, is_new, self._lesson, self._clock())
        if is_new:
            with self._news:
                self.snapshot = fresh
                self._news.notify_all()
        return fresh

    def _look(self, version: int) -> Snapshot:
        table, watch = self._book.table, self._watch
        manner = Manner.TEACHER if self._judged_until_s else self._manner
        words, heard = self.house.words, self._troubles.of
        trouble = heard(INSIDE) or heard(SENSORS) or heard(MAGNET) or heard(DISK)
        hindrance, notice = self._hindrance(), self._notice
        on_line = hindrance(words) or (notice(words) if notice else "")
        prompt = asked_at_door(self._door, words) or waiting_for(
            table, self._entry, watch.pending, watch.astray, on_line, words, manner
        )
        if self._lesson:
            prompt = hindrance(words) or self._lesson.prompt(words)
        said = say_turn(self._book.chronicle.last, words, manner) if self._book.chronicle.last else ""
        return Snapshot(
            version,
            self.plan,
            self._book.chronicle,
            self._entry,
            watch.seen,
            watch.pending,
            watch.astray,
            self._signals(table, manner),
            manner,
            self._lesson.page(words)
            if self._lesson and not trouble
            else page(prompt, table, said, choices_of(self._entry, self._around(), words)),
            prompt,
            trouble,
            self._door,
            self._doorplate(),
            self._notice,
            hindrance,
        )

    def _hindrance(self) -> Saying:
        """The first of all troubles that people should look after."""
        heard = self._troubles.of
        if heard(INSIDE):
            return fault_inside
        if told := heard(SENSORS):
            return partial(board_unread, self._unread, told)
        if heard(MAGNET):
            return magnet_near
        return cannot_save if heard(DISK) else nothing_hinders

    def _doorplate(self) -> Picture:
        """While the door is open, and nobody has to be answered, its code takes the whole display."""
        is_shown = self._door.code and not self._door.knocking
        return doorplate(self.house.address, self._door.code) if is_shown else ()

    def _signals(self, table: Table | None, manner: Manner) -> tuple[HoleSignal, ...]:
        if self._walk_from_s is not None:
            return walk(self.plan, self._clock() - self._walk_from_s)
        if table is None or not table.sides_on_board:
            return ()
        watch = self._watch
        return signals(table, self.plan.course(table.rules.target), watch.seen, watch.pending, watch.astray, manner)


def asked_of(table: Table | None) -> object:
    """What the keys are being asked; pegs that move meanwhile do not change it."""
    return table and (table.phase, table.to_count, table.deal and table.deal.number)
