"""The running program for counts of its work: a card by HTTP, its answer, and a key."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from http.client import HTTPConnection
from typing import NamedTuple

from board_drivers.simulated import SimulatedBoard
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.host.loop import Host
from firmware_host.host.setup import HostSetup
from firmware_host.startup.network import listen
from firmware_host.stats.archive import Archive
from firmware_host.stats.learners_file import LearnersFile
from firmware_host.stats.people_file import PeopleFile
from firmware_host.storage.journal import Journal
from tests.bench.own_calls import CallCounter, Work
from tests.host.bench import HostBench
from tests.web_panel.conftest import SimulatedInput
from web_panel.app import create_panel, open_server
from web_panel.views.state import state_view

NEVER_S = 600.0
"""Between two scans: the host wakes up for commands alone."""
PLAYS = ((0, "4H"), (1, "5D"), (0, "9C"), (1, "TS"))
"""Seat and card, after the starter."""


class RunningProgram:
    """Host and panel in threads of their own, with a game that has just begun."""

    def __init__(self, counter: CallCounter) -> None:
        self.counter = counter
        self._has_stepped = threading.Event()
        self.now_s = 0.0
        plans = (load_plan("classic-61"),)
        setup = HostSetup(
            plans,
            self._open,
            lambda board, standing: self.board.set_pegs(standing),
            (rules_for("six_card"),),
            ("Ann", "Ben"),
            scan_s=NEVER_S,
            on_step=self._has_stepped.set,
        )
        journal = Journal.in_memory()
        self.host = Host(setup, journal, clock=lambda: self.now_s)
        archive = Archive(lambda: nullcontext(journal))
        people, learners = PeopleFile(), LearnersFile()
        app = create_panel(
            self.host,
            archive=lambda: archive,
            people_file=lambda: people,
            learners_file=lambda: learners,
            board_input=SimulatedInput(self.host),
        )
        counter.install()
        self._server = open_server(app, listen("127.0.0.1", 0, 1))
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        self.host.start()
        self._line = HTTPConnection("127.0.0.1", self._server.effective_port, timeout=10)

    def _open(self, plan: BoardPlan) -> SimulatedBoard:
        self.board = SimulatedBoard(plan.bit_count, plan.led_count, clock=lambda: self.now_s)
        return self.board

    def close(self) -> None:
        self.counter.uninstall()
        self._line.close()
        self._server.close()
        self._thread.join()
        self.host.stop()

    def command(self, name: str, **body: object) -> None:
        """Send a command, and wait for its answer and for the end of the host's step."""
        self._has_stepped.clear()
        sent = json.dumps(body)
        self._line.request("POST", f"/api/v1/commands/{name}", sent, {"Content-Type": "application/json"})
        answer = self._line.getresponse()
        read = answer.read()
        assert answer.status == 200, read
        assert self._has_stepped.wait(10)


class AnswerWork(NamedTuple):
    """The work of one card: by HTTP from the request to the answer and the end of the host's step, and of the answer
    alone."""

    by_http: Work
    answer: Work


@contextmanager
def warm_program(counter: CallCounter) -> Iterator[RunningProgram]:
    """A program in which the cards of PLAYS were played once, and taken back."""
    program = RunningProgram(counter)
    try:
        program.command("new-game", variant="six_card", options={}, names=["Ann", "Ben"], dealer=1)
        program.command("starter", card="6S")
        for seat, card in PLAYS:
            program.command("play", seat=seat, card=card)
        for _ in PLAYS:
            program.command("undo")
        yield program
    finally:
        program.close()


def work_of_cards() -> list[AnswerWork]:
    """The work of each card of PLAYS."""
    counter = CallCounter()
    found = list[AnswerWork]()
    with warm_program(counter) as program:
        for seat, card in PLAYS:
            by_http = counter.work_of(partial(program.command, "play", seat=seat, card=card))
            answer = counter.count_here(partial(state_view, program.host.snapshot))
            found.append(AnswerWork(by_http, answer))
    return found


def work_of_a_key() -> Work:
    """The work of the step of the host in which a rank is typed."""
    bench = HostBench(Journal.in_memory())
    bench.host.execute(c.StartGame(rules_for("six_card"), ("Ann", "Ben"), dealer=Seat(0)))
    bench.keys("5 6")
    bench.wait(0.1)
    bench.keys("UNDO")
    bench.wait(0.1)

    def tap() -> None:
        bench.board.tap("4")
        bench.now_s += bench.setup.scan_s
        bench.host.step()

    work = CallCounter().count_here(tap)
    assert bench.first_line == "Starter 4: ♠♥♦♣?"
    return work
