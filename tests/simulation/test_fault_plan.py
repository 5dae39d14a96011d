"""With each planned fault the game goes on, or waits with a message and continues when the fault is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec import Struct, field

from board_drivers.fault_injection import FaultyBoard, FaultySensors
from board_drivers.serial_scanner import SerialScanner
from firmware_host.board.plan import BoardPlan
from firmware_host.board.plan_reader import PlanError
from firmware_host.config.board_plans import load_plan
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.simulation.fault_plan import KINDS, FaultPlan, FaultPlanError, parse_fault_plan, read_fault_plan
from firmware_host.storage.journal import Journal
from tests.host.bench import HostBench

PLAN = load_plan("classic-61")
README = Path(__file__).parents[2] / "firmware_host" / "README.md"


class FaultyBench(HostBench):
    """A Bench whose board and disk have the faults of a plan."""

    fault_plan: FaultPlan = field(default_factory=FaultPlan)

    def open_board(self, plan: BoardPlan) -> FaultyBoard:
        self.board = FaultyBoard(plan.bit_count, plan.led_count, self.fault_plan.on_board, lambda: self.now_s)
        return self.board


class BenchFactory(Struct):
    """Makes benches with faults, on one journal. The pauses of a slow disk are recorded, not waited for."""

    folder: Path
    benches: list[FaultyBench] = field(default_factory=list)
    paused_s: list[float] = field(default_factory=list)

    def begin(self, text: str) -> FaultyBench:
        def since_start() -> float:
            return self.benches[0].now_s if self.benches else 0.0

        fault_plan = FaultPlan(parse_fault_plan(text, PLAN).faults, since_start, self.paused_s.append)
        journal = Journal.open(self.folder / "journal.sqlite3", fault_plan.time_of_day)
        journal.before_writing = fault_plan.apply_disk_faults
        bench = FaultyBench(journal, fault_plan=fault_plan)
        self.benches.append(bench)
        bench.begin()
        return bench


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[BenchFactory]:
    factory = BenchFactory(tmp_path)
    yield factory
    for bench in factory.benches:
        bench.host.stop()


def prompt_of(bench: HostBench) -> str:
    """The first line of the display."""
    return bench.host.snapshot.prompt


def unreadable_frames(bench: FaultyBench) -> int:
    """How many frames the real scanner driver rejected."""
    sensors = bench.board.sensors
    assert isinstance(sensors, FaultySensors) and isinstance(sensors.reader, SerialScanner)
    return sensors.reader.session.corrupt_frames


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ('kind = "full_disk"', "room on the disk"),
        ('kind = "read_only_disk"', "can be opened and written"),
    ],
)
def test_leap_is_held_until_the_disk_can_be_written(benches: BenchFactory, fault: str, message: str) -> None:
    bench = benches.begin(f"[[fault]]\n{fault}\nfrom_s = 2\nfor_s = 10")
    bench.wait(3 - bench.now_s)
    bench.leap(0, 0, 8)
    bench.leap(1, 0, 5)
    assert bench.table.scores == (0, 0)
    assert prompt_of(bench) == "Not saved yet. Check the disk."
    assert message in bench.host.snapshot.fault
    bench.wait(14 - bench.now_s)
    assert bench.table.scores == (8, 5) and not bench.host.snapshot.fault
    with closing(Journal.open_readonly(benches.folder / "journal.sqlite3")) as journal:
        assert next(journal.games()).scores == (8, 5)


def test_command_is_refused_while_a_leap_is_held(benches: BenchFactory) -> None:
    bench = benches.begin('[[fault]]\nkind = "full_disk"\nfrom_s = 2\nfor_s = 10')
    bench.wait(3 - bench.now_s)
    bench.leap(0, 0, 8)
    bench.keys("UNDO")
    assert bench.table.scores == (0, 0), "the undo was refused"
    bench.wait(14 - bench.now_s)
    assert bench.table.scores == (8, 0)
    bench.keys("UNDO")
    assert bench.table.scores == (0, 0)


def test_slow_disk_delays_and_loses_nothing(benches: BenchFactory) -> None:
    bench = benches.begin('[[fault]]\nkind = "slow_disk"\nby_s = 2')
    paused = len(benches.paused_s)
    bench.leap(0, 0, 8)
    bench.leap(1, 0, 5)
    assert bench.table.scores == (8, 5) and benches.paused_s[paused:] == [2.0, 2.0]


def test_clock_that_jumps_back_does_not_reorder_events(benches: BenchFactory) -> None:
    bench = benches.begin('[[fault]]\nkind = "wrong_clock"\nby_s = -86400\nfrom_s = 2')
    bench.wait(3 - bench.now_s)
    bench.leap(0, 0, 8)
    bench.leap(1, 0, 5)
    bench.host.stop()
    bench.journal = Journal.open(benches.folder / "journal.sqlite3")
    bench.switch_on()
    assert bench.table.scores == (8, 5)
    summary = next(bench.journal.games())
    assert summary.scores == (8, 5) and abs((summary.started_at - datetime.now(UTC)).total_seconds()) < 3600


def test_broken_chain_is_named_and_recovers(benches: BenchFactory) -> None:
    bench = benches.begin('[[fault]]\nkind = "broken_chain"\nstrip = 12\nfrom_s = 2\nfor_s = 5')
    bench.wait(3 - bench.now_s)
    assert prompt_of(bench) == "Fault at strip 12. Check its ribbon."
    bench.board.lift_peg(PLAN.named("red back start").sensor)
    bench.board.place_peg(PLAN.named("red 8").sensor)
    bench.wait(6 - bench.now_s)
    assert bench.table.scores == (0, 0)
    bench.wait(8 - bench.now_s)
    assert bench.table.scores == (8, 0) and not bench.host.snapshot.fault


@pytest.mark.parametrize(
    ("fault", "holes"),
    [
        ('kind = "dead_column"\ncolumn = 2', "red 16 to 30"),
        ('kind = "shorted_row"\nrow = 5', "red 5, red 20"),
    ],
)
def test_line_of_a_sensing_board_is_named_by_its_holes_and_recovers(
    benches: BenchFactory, fault: str, holes: str
) -> None:
    bench = benches.begin(f"[[fault]]\n{fault}\nfrom_s = 2\nfor_s = 5")
    bench.wait(3 - bench.now_s)
    assert holes in str(bench.host.snapshot.fault)
    bench.board.lift_peg(PLAN.named("red back start").sensor)
    bench.board.place_peg(PLAN.named("red 8").sensor)
    bench.wait(8 - bench.now_s)
    assert bench.table.scores == (8, 0) and not bench.host.snapshot.fault


def test_lights_are_dim_while_pegs_are_unknown(benches: BenchFactory) -> None:
    bench = benches.begin('[[fault]]\nkind = "broken_chain"\nstrip = 12\nfrom_s = 9\nfor_s = 5')
    bench.lift(0, -1)  # lights the hole it came from and where it can go, without blinking

    def brightest(at_s: float) -> int:
        bench.wait(at_s - bench.now_s)
        return max(map(max, bench.board.lights.frame))

    before, during, after = map(brightest, (8.0, 12.0, 16.0))
    assert 0 < during < before / 2 and after == before


def test_noisy_scanner_cable_loses_no_turn(benches: BenchFactory) -> None:
    """A third of the frames is unreadable and rejected; no wrong frame is accepted."""
    bench = benches.begin('[[fault]]\nkind = "serial_noise"\nfrom_s = 3\n')
    bench.wait(3 - bench.now_s)
    for came_from, score in ((0, 8), (-1, 14), (8, 20), (14, 31)):
        bench.leap(0, came_from, score)
        bench.wait(1.0)
    assert bench.table.scores == (31, 0) and not bench.host.snapshot.peg_faults
    assert unreadable_frames(bench) > 5


def test_cable_without_readable_frames_is_reported(benches: BenchFactory) -> None:
    bench = benches.begin('[[fault]]\nkind = "serial_noise"\nflipped = 0.5\nlost = 0.3\nfrom_s = 3\nfor_s = 5')
    bench.wait(4.5 - bench.now_s)
    assert prompt_of(bench) == "Board not connected. Check its cable."
    bench.leap(0, 0, 8)
    assert bench.table.scores == (0, 0)
    bench.wait(12 - bench.now_s)
    assert bench.table.scores == (8, 0) and not bench.host.snapshot.fault


def test_cable_pulled_and_plugged_in_again(benches: BenchFactory) -> None:
    """The scanner restarts; pegs that were moved meanwhile are read then."""
    bench = benches.begin('[[fault]]\nkind = "pulled_cable"\nfrom_s = 5\nfor_s = 5')
    assert prompt_of(bench) == "Scanner is starting …"
    bench.wait(2.5 - bench.now_s)
    assert not bench.host.snapshot.fault
    bench.leap(0, 0, 8)
    assert bench.table.scores == (8, 0)
    bench.wait(6.5 - bench.now_s)
    assert prompt_of(bench) == "Board not connected. Check its cable."
    assert "no such file or directory" in bench.host.snapshot.fault
    bench.leap(1, 0, 5)
    assert bench.table.scores == (8, 0), "not read yet"
    bench.wait(14 - bench.now_s)
    assert bench.table.scores == (8, 5) and not bench.host.snapshot.fault


def test_fault_message_exists_in_every_language(benches: BenchFactory) -> None:
    bench = benches.begin('[[fault]]\nkind = "pulled_cable"\nfrom_s = 3')
    bench.wait(4 - bench.now_s)
    messages = {language: bench.host.snapshot.fault_message(translator(language)) for language in LANGUAGES}
    assert messages["en"] == "Board not connected. Check its cable." and len(set(messages.values())) == len(LANGUAGES)


def test_swapped_strips_change_no_score(benches: BenchFactory) -> None:
    """Pegs in the start row seem to stand elsewhere, but no peg leapt."""
    start = PLAN.named("red start").strip + 1
    other = PLAN.named("red 30").strip + 1
    bench = benches.begin(f'[[fault]]\nkind = "swapped_strips"\nstrips = [{start}, {other}]\nfor_s = 9')
    bench.wait(8 - bench.now_s)
    assert bench.table.scores == (0, 0) and bench.host.snapshot.peg_faults
    bench.wait(12 - bench.now_s)
    assert bench.table.scores == (0, 0) and not bench.host.snapshot.peg_faults
    bench.leap(0, 0, 8)
    assert bench.table.scores == (8, 0)


def test_magnet_near_the_board_changes_no_score(benches: BenchFactory) -> None:
    bench = benches.begin('[[fault]]\nkind = "magnet_near"\nhole = "red 15"\nfrom_s = 2\nfor_s = 20')
    bench.wait(10 - bench.now_s)
    assert prompt_of(bench) == "A magnet is too close. Move it away."
    assert bench.table.scores == (0, 0)
    bench.wait(23 - bench.now_s)
    assert not bench.host.snapshot.fault and not bench.host.snapshot.peg_faults
    bench.leap(0, 0, 8)
    assert bench.table.scores == (8, 0)


def test_bouncing_switches_lose_no_turn(benches: BenchFactory) -> None:
    bench = benches.begin('[[fault]]\nkind = "bouncing_holes"\nbounce_s = 0.06')
    for came_from, score in ((0, 8), (-1, 14), (8, 20)):
        bench.leap(0, came_from, score)
        bench.wait(0.5)
    assert bench.table.scores == (20, 0)


def test_dead_and_stuck_holes_do_not_stop_a_game(benches: BenchFactory) -> None:
    bench = benches.begin(
        '[[fault]]\nkind = "stuck_holes"\nholes = ["blue 20"]\nfrom_s = 2\n'
        '[[fault]]\nkind = "dead_holes"\nholes = ["red 30"]'
    )
    bench.wait(10 - bench.now_s)
    bench.leap(0, 0, 8)
    bench.leap(1, 0, 5)
    assert bench.table.scores == (8, 5)


def test_display_is_refreshed_after_it_was_lost(benches: BenchFactory, caplog: pytest.LogCaptureFixture) -> None:
    bench = benches.begin('[[fault]]\nkind = "lost_oled"\nfrom_s = 2\nfor_s = 5')
    before = bench.board.oled_pixels()
    bench.wait(3 - bench.now_s)
    bench.leap(0, 0, 8)
    assert bench.table.scores == (8, 0) and bench.board.oled_pixels() == before
    bench.wait(9 - bench.now_s)
    assert bench.board.oled_pixels() != before
    assert [record.message.split(":")[0] for record in caplog.records if "oled" in record.message] == ["oled"]


def test_stuck_key_is_named_and_the_others_work(benches: BenchFactory) -> None:
    bench = benches.begin('[[fault]]\nkind = "stuck_key"\nkey = "UNDO"\nfrom_s = 2\nfor_s = 30')
    bench.wait(21.5 - bench.now_s)
    seen = set()
    while bench.now_s < 23:
        bench.wait(0.1)
        seen.add(prompt_of(bench))
    assert "Key UNDO is stuck" in seen
    bench.leap(0, 0, 8)
    assert bench.table.scores == (8, 0)
    bench.keys("5 10")
    assert bench.first_line != "Who deals first?"


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        ("", "fault", "a list of tables"),
        ('[[fault]]\nkind = "gremlins"', "fault[0].kind", '"dead_holes" or'),
        ('[[fault]]\nkind = "dead_holes"\nholes = ["red 99"]', "fault[0].holes", "a hole of this board"),
        ('[[fault]]\nkind = "broken_chain"\nstrip = 26', "fault[0].strip", "a strip from 1 to 25"),
        ('[[fault]]\nkind = "dead_column"\ncolumn = 9', "fault[0].column", "a column from 1 to 8"),
        ('[[fault]]\nkind = "shorted_row"\nrow = 17', "fault[0].row", "a row from 1 to 16"),
        ('[[fault]]\nkind = "swapped_strips"\nstrips = [1]', "fault[0].strips", "two strips from 1 to 25"),
        ('[[fault]]\nkind = "stuck_key"\nkey = "X"', "fault[0].key", '"A" or'),
        ('[[fault]]\nkind = "serial_noise"\nlost = 2', "fault[0].lost", "a share of the bytes"),
        ('[[fault]]\nkind = "lost_oled"\nfor_s = 0', "fault[0].for_s", "seconds above 0"),
        ('[[fault]]\nkind = "lost_oled"\nfrm_s = 1', "fault[0]", "nothing more"),
    ],
)
def test_invalid_plan_is_reported_with_its_place(text: str, where: str, expected: str) -> None:
    with pytest.raises(PlanError) as raised:
        parse_fault_plan(text, PLAN)
    assert raised.value.where == where and expected in raised.value.expected


def test_missing_plan_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FaultPlanError, match="name a text file"):
        read_fault_plan(tmp_path / "none.toml", PLAN)


def test_fault_repeats(benches: BenchFactory) -> None:
    (fault,) = parse_fault_plan('[[fault]]\nkind = "lost_oled"\nfrom_s = 10\nfor_s = 2\nevery_s = 60', PLAN).faults
    assert [fault.span.covers(at_s) for at_s in (9, 10, 11.9, 12, 70, 72, 130.5)] == [
        *(False, True, True, False, True, False, True),
    ]


def test_every_kind_has_a_test_and_is_in_the_readme() -> None:
    text, readme = Path(__file__).read_text(encoding="utf-8"), README.read_text(encoding="utf-8")
    assert [kind for kind in KINDS if f'kind = "{kind}"' not in text or f"`{kind}`" not in readme] == []
