"""The set-up wizard on the board: pegs, keys, lights, display, phones, and its file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import field
from msgspec.structs import replace

from board_drivers.ports import DriverError, SensorFrame
from firmware_host.board.plan import PlannedHole
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.host.loop import Host
from firmware_host.pairing.pairing import OPEN_S
from firmware_host.storage.journal import Journal
from firmware_host.tracking.readings import Fault
from firmware_host.ui import wizard_commands as w
from firmware_host.ui.wizard.display import HERE
from firmware_host.ui.wizard.wizard import KEYS, NoSuchStep, Wizard, WizardClosed, in_playing_order
from tests.host.bench import HostBench

STEPS = tuple(w.Step)


class WizardBench(HostBench):
    """A real board at its first start: people place the pegs, and phones can reach it. Its file is in `folder`."""

    folder: Path = field(default_factory=Path)
    opens_by_itself: bool = True

    def place_pegs(self, board: object, frame: SensorFrame) -> None:
        """Does nothing, as for a real board."""

    def switch_on(self) -> None:
        file = self.folder / "wizard.json"
        self.setup = replace(
            self.setup,
            wizard_file=file,
            wizard_opens_by_itself=self.opens_by_itself,
            address="http://192.168.1.5:8080/",
        )
        self.host = Host(self.setup, self.journal, clock=lambda: self.now_s)
        self.wait(0.1)

    @property
    def wizard(self) -> Wizard:
        assert self.host.snapshot.wizard, "the wizard is closed"
        return self.host.snapshot.wizard

    def go_to(self, step: w.Step) -> None:
        self.host.execute(w.GoToStep(step))
        self.wait(0.1)

    def touch(self, hole: PlannedHole) -> None:
        """Puts a peg in a hole and takes it out again."""
        self.board.place_peg(hole.sensor)
        self.host.step()
        self.board.lift_peg(hole.sensor)
        self.host.step()

    @property
    def requested(self) -> PlannedHole:
        hole = self.wizard.next_hole(self.host.plan)
        assert hole
        return hole

    def lines(self) -> list[str]:
        return [line for line, _ in self.host.snapshot.oled_page]

    def pair(self, name: str) -> None:
        """A phone sends the code that is on the display; somebody presses ENTER; the phone takes its token."""
        pairing = self.host.pairing
        secret = pairing.request_pairing(name, self.host.snapshot.pairing_state.code)
        self.wait(1.5)
        self.keys("ENTER")
        assert pairing.collect_token(secret)
        self.wait(0.1)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[WizardBench]:
    bench = WizardBench(Journal.in_memory(), folder=tmp_path)
    yield bench
    bench.host.stop()


def lit(bench: WizardBench) -> set[tuple[int, int, int]]:
    return {colour for colour in bench.board.lights.frame if any(colour)}


def test_the_wizard_opens_by_itself_at_the_first_start(bench: WizardBench) -> None:
    assert bench.wizard.step is w.Step.LANGUAGE and bench.lines()[0] == "Set-up 1 of 10"


def test_the_wizard_does_not_open_once_a_game_was_begun(tmp_path: Path) -> None:
    journal = Journal.in_memory()
    HostBench(journal).begin()
    bench = WizardBench(journal, folder=tmp_path)
    assert bench.host.snapshot.wizard is None


def test_the_wizard_opens_on_a_simulated_board_only_when_asked(tmp_path: Path) -> None:
    bench = WizardBench(Journal.in_memory(), folder=tmp_path, opens_by_itself=False)
    assert bench.host.snapshot.wizard is None and not (tmp_path / "wizard.json").exists()
    with pytest.raises(WizardClosed):
        bench.host.execute(w.GoToStep(w.Step.KEYS))
    bench.host.execute(w.OpenWizard())
    bench.wait(0.1)
    assert bench.wizard.step is w.Step.LANGUAGE


def test_fn_held_closes_the_wizard_for_good(bench: WizardBench) -> None:
    bench.hold_fn()
    assert bench.host.snapshot.wizard is None
    bench.switch_on()
    assert bench.host.snapshot.wizard is None
    bench.begin()
    assert bench.table.names[0] == "Ann"


def test_a_restart_goes_on_where_the_wizard_stopped(bench: WizardBench) -> None:
    bench.go_to(w.Step.SENSORS)
    bench.touch(bench.requested)
    second = bench.requested
    bench.host.stop()
    bench.switch_on()
    assert bench.wizard.step is w.Step.SENSORS and bench.requested == second


def test_a_power_cut_loses_at_most_two_seconds(bench: WizardBench) -> None:
    bench.go_to(w.Step.SENSORS)
    bench.touch(bench.requested)
    bench.wait(2.1)
    bench.switch_on()
    assert len(bench.wizard.holes) == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"step": "dance"}', '{"step": "keys", "board": "classic-61"}', "\0"])
def test_a_damaged_file_starts_the_wizard_anew(bench: WizardBench, text: str) -> None:
    (bench.folder / "wizard.json").write_text(text)
    bench.switch_on()
    assert bench.wizard == Wizard(STEPS, is_open=True)


def test_results_of_another_board_are_dropped(bench: WizardBench) -> None:
    bench.go_to(w.Step.SENSORS)
    bench.touch(bench.requested)
    bench.host.stop()
    file = bench.folder / "wizard.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"board": "another"}))
    bench.switch_on()
    assert bench.wizard.step is w.Step.SENSORS and bench.wizard.holes == {}


def test_a_full_disk_is_reported_and_the_wizard_goes_on(bench: WizardBench, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("firmware_host.host.parts.wizard_store.write_checked", full)
        bench.go_to(w.Step.BOARD)
        assert "No space left" in bench.host.snapshot.fault and bench.wizard.step is w.Step.BOARD
    bench.wait(2.1)
    assert not bench.host.snapshot.fault


def test_each_hole_is_lit_and_a_peg_leads_to_the_next(bench: WizardBench) -> None:
    bench.go_to(w.Step.SENSORS)
    first, *_ = holes = in_playing_order(bench.host.plan)
    assert bench.lines()[1:3] == ["Put a peg in red,", "back start hole"]
    assert bench.board.lights.frame[first.led] == HERE
    for number, hole in enumerate(holes):
        assert bench.requested == hole and len(bench.wizard.holes) == number
        bench.touch(hole)
    assert bench.wizard.step is w.Step.LIGHTS


def test_a_peg_that_goes_shows_that_its_hole_works(bench: WizardBench) -> None:
    hole = in_playing_order(bench.host.plan)[0]
    bench.board.place_peg(hole.sensor)
    bench.wait(0.1)
    bench.go_to(w.Step.SENSORS)
    assert bench.requested == hole
    bench.board.lift_peg(hole.sensor)
    bench.wait(0.1)
    assert bench.requested != hole


def test_a_magnet_over_many_holes_ticks_none(bench: WizardBench) -> None:
    bench.go_to(w.Step.SENSORS)
    bench.board.set_pegs(frozenset(hole.sensor for hole in bench.host.plan.holes[:20]))
    bench.wait(0.1)
    assert bench.wizard.holes == {}


def test_marked_holes_are_hole_faults_and_a_peg_clears_them(bench: WizardBench) -> None:
    bench.go_to(w.Step.SENSORS)
    dead = bench.requested
    bench.host.execute(w.MarkHole(dead.sensor))
    stuck = bench.requested
    bench.board.place_peg(stuck.sensor)
    bench.host.execute(w.RepeatStep(w.Step.SENSORS))
    bench.host.execute(w.MarkHole(dead.sensor))
    bench.host.execute(w.MarkHole(stuck.sensor))
    faults = {fault.holes[0]: fault.fault for fault in bench.host.health.hole_faults}
    assert faults == {dead.hole: Fault.DEAD_HOLE}, "the peg came after the wizard looked last"
    bench.wait(0.1)
    bench.host.execute(w.RepeatStep(w.Step.SENSORS))
    bench.host.execute(w.MarkHole(stuck.sensor))
    assert [fault.fault for fault in bench.host.health.hole_faults] == [Fault.STUCK_HOLE]
    bench.board.lift_peg(stuck.sensor)
    bench.wait(0.1)
    assert bench.host.health.hole_faults == ()


def test_marked_holes_stay_known_after_a_restart(bench: WizardBench) -> None:
    bench.go_to(w.Step.SENSORS)
    bench.host.execute(w.MarkHole(bench.requested.sensor))
    bench.host.execute(w.CloseWizard())
    bench.wait(0.1)
    bench.switch_on()
    assert [fault.fault for fault in bench.host.health.hole_faults] == [Fault.DEAD_HOLE]


def test_sensors_that_cannot_be_read_are_a_fault(bench: WizardBench, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent() -> SensorFrame:
        raise DriverError("Sensor chain silent", "bits", "none", "Check the ribbon cable.")

    bench.go_to(w.Step.SENSORS)
    with monkeypatch.context() as patch:
        patch.setattr(bench.board.sensors, "scan", silent)
        bench.wait(0.1)
        assert bench.lines()[0] == "No sensor data. Check"
    bench.wait(0.1)
    assert bench.lines()[0] == "Set-up 4 of 10"


def test_all_lights_show_one_colour_after_the_other(bench: WizardBench) -> None:
    bench.go_to(w.Step.LIGHTS)
    shown: list[tuple[int, int, int]] = []
    while bench.wizard.step is w.Step.LIGHTS:
        question = bench.wizard.question
        assert question
        shown += lit(bench)
        bench.host.execute(w.AnswerQuestion(question, is_ok=question is not w.Question.GREEN))
        bench.wait(0.1)
    assert shown == [(60, 0, 0), (0, 60, 0), (0, 0, 60)]
    assert bench.wizard.step is w.Step.KEYS and lit(bench) == set()
    assert not bench.wizard.answers[w.Question.GREEN]


def test_every_key_is_ticked_and_the_last_leads_on(bench: WizardBench) -> None:
    bench.go_to(w.Step.KEYS)
    bench.keys("A FN")
    assert bench.wizard.keys == {"A", "FN"} and "A" not in " ".join(bench.lines()[2:5]).split()
    bench.hold_fn()
    assert bench.wizard.missing_keys()
    bench.keys(" ".join(KEYS))
    assert bench.wizard.step is w.Step.SOUND and bench.host.snapshot.table is None


def test_a_step_that_was_complete_stays_until_somebody_goes_on(bench: WizardBench) -> None:
    bench.go_to(w.Step.KEYS)
    bench.keys(" ".join(KEYS))
    bench.go_to(w.Step.KEYS)
    bench.keys("A")
    assert bench.wizard.step is w.Step.KEYS and bench.lines()[1] == "Keys: all work"
    bench.host.execute(w.RepeatStep(w.Step.KEYS))
    bench.wait(0.1)
    assert bench.wizard.keys == frozenset()


def test_the_sound_is_played_and_answered(bench: WizardBench) -> None:
    bench.go_to(w.Step.SOUND)
    assert len(bench.board.sounder.played) == 1
    bench.host.execute(w.PlayTestSound())
    assert len(bench.board.sounder.played) == 2
    for question in (w.Question.BOARD, w.Question.PAGE):
        bench.host.execute(w.AnswerQuestion(question, is_ok=True))
    bench.wait(0.1)
    assert bench.wizard.step is w.Step.PHONE


def test_a_second_browser_may_answer_the_same_question(bench: WizardBench) -> None:
    bench.go_to(w.Step.SOUND)
    for question in (w.Question.BOARD, w.Question.BOARD, w.Question.PAGE, w.Question.PAGE):
        bench.host.execute(w.AnswerQuestion(question, is_ok=True))
    with pytest.raises(NoSuchStep):
        bench.host.execute(w.AnswerQuestion(w.Question.RED, is_ok=True))


def test_the_first_phone_can_be_added_at_the_first_start(bench: WizardBench) -> None:
    assert bench.host.snapshot.pairing_picture
    bench.keys("5")
    assert not bench.host.snapshot.pairing_picture and bench.lines()[-1] == "Hold FN: later"
    bench.pair("Ann")
    assert bench.wizard.step is w.Step.LANGUAGE
    assert not bench.host.snapshot.pairing_state.code and not bench.host.snapshot.pairing_picture


def test_a_phone_that_is_added_leads_to_the_next_step(bench: WizardBench) -> None:
    bench.pair("Ann")
    bench.go_to(w.Step.PHONE)
    assert bench.host.snapshot.pairing_picture
    bench.now_s += OPEN_S
    bench.wait(0.1)
    assert bench.host.snapshot.pairing_state.code, "the code is renewed when it expires"
    bench.pair("Ben")
    assert bench.wizard.step is w.Step.BROKER and not bench.host.snapshot.pairing_state.code


def test_the_code_is_withdrawn_when_the_step_is_left(bench: WizardBench) -> None:
    bench.go_to(w.Step.PHONE)
    bench.go_to(w.Step.GAME)
    assert not bench.host.snapshot.pairing_state.code


def test_a_game_closes_the_wizard_and_its_pegs_are_followed(bench: WizardBench) -> None:
    bench.board.set_pegs(bench.host.plan.frame_of([(-1, 0), (-1, 0)]))  # type: ignore[list-item]
    bench.go_to(w.Step.GAME)
    bench.host.execute(c.StartGame(rules_for("six_card"), ("Ann", "Ben"), "classic-61", Seat(0)))
    bench.wait(0.1)
    assert bench.host.snapshot.wizard is None
    bench.leap(0, -1, 8)
    assert bench.table.scores[0] == 8


def test_opening_the_wizard_ends_a_demonstration(bench: WizardBench) -> None:
    bench.host.execute(c.StartGame(rules_for("six_card"), ("Ann", "Ben"), "classic-61", Seat(0), is_demo=True))
    bench.wait(0.1)
    assert bench.host.snapshot.wizard is None
    bench.host.execute(w.OpenWizard())
    bench.wait(0.1)
    assert bench.host.snapshot.table is None and bench.wizard.is_open


def test_a_step_that_the_board_does_not_have_is_refused(bench: WizardBench) -> None:
    bench.setup = replace(bench.setup, wizard_steps=tuple(step for step in w.Step if step is not w.Step.KEYS))
    bench.switch_on()
    with pytest.raises(NoSuchStep):
        bench.host.execute(w.GoToStep(w.Step.KEYS))
