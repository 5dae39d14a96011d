"""A board that goes wrong while people play: the game goes on, or waits with a sentence, and goes on by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from board_drivers.misbehaving import MisbehavingBoard, MisbehavingSensors
from board_drivers.serial_scanner import SerialScanner
from firmware_host.board.facts import PlanError
from firmware_host.board.plan import BoardPlan
from firmware_host.journal import Journal
from firmware_host.languages import LANGUAGES, words
from firmware_host.mischief import KINDS, Mischief, MischiefFault, parse_mischief, read_mischief
from firmware_host.plans import load_plan
from tests.host.bench import Bench

PLAN = load_plan("classic-61")
README = Path(__file__).parents[2] / "firmware_host" / "README.md"


@dataclass
class BadDay(Bench):
    """A bench with a board and a disk that go wrong."""

    mischief: Mischief = field(default_factory=Mischief)

    def open_board(self, plan: BoardPlan) -> MisbehavingBoard:
        self.board = MisbehavingBoard(plan.bit_count, plan.led_count, self.mischief.on_board, lambda: self.now_s)
        return self.board


@dataclass
class Days:
    """Makes bad days. The disk's pauses are counted, not waited for."""

    folder: Path
    benches: list[BadDay] = field(default_factory=list)
    paused_s: list[float] = field(default_factory=list)

    def begin(self, text: str) -> BadDay:
        def since_start() -> float:
            return self.benches[0].now_s if self.benches else 0.0

        mischief = Mischief(parse_mischief(text, PLAN).troubles, since_start, self.paused_s.append)
        journal = Journal.open(self.folder / "journal.sqlite3", mischief.time_of_day)
        journal.before_writing = mischief.trouble_disk
        bench = BadDay(journal, mischief=mischief)
        self.benches.append(bench)
        bench.begin()
        return bench


@pytest.fixture
def days(tmp_path: Path) -> Iterator[Days]:
    days = Days(tmp_path)
    yield days
    for bench in days.benches:
        bench.host.stop()


def first_words(bench: Bench) -> str:
    """What a person reads first."""
    return bench.host.snapshot.prompt


def spoiled_frames(bench: BadDay) -> int:
    """What the real listener at this end of the cable could not read."""
    sensors = bench.board.sensors
    assert isinstance(sensors, MisbehavingSensors) and isinstance(sensors.reader, SerialScanner)
    return sensors.reader.talk.spoiled


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        ('kind = "full_disk"', "room on the disk"),
        ('kind = "read_only_disk"', "can be opened and written"),
    ],
)
def test_a_leap_waits_until_the_disk_takes_it(days: Days, trouble: str, sentence: str) -> None:
    bench = days.begin(f"[[trouble]]\n{trouble}\nfrom_s = 2\nfor_s = 10")
    bench.wait(3 - bench.now_s)
    bench.leap(0, 0, 8)
    bench.leap(1, 0, 5)
    assert bench.table.scores == (0, 0)
    assert first_words(bench) == "Cannot be saved yet: look after the disk"
    assert sentence in bench.host.snapshot.trouble
    bench.wait(14 - bench.now_s)
    assert bench.table.scores == (8, 5) and not bench.host.snapshot.trouble
    with closing(Journal.open_to_read(days.folder / "journal.sqlite3")) as journal:
        assert next(journal.games()).scores == (8, 5)


def test_an_order_is_not_taken_ahead_of_what_the_pegs_did(days: Days) -> None:
    bench = days.begin('[[trouble]]\nkind = "full_disk"\nfrom_s = 2\nfor_s = 10')
    bench.wait(3 - bench.now_s)
    bench.leap(0, 0, 8)
    bench.keys("UNDO")
    assert bench.table.scores == (0, 0), "the undo was refused"
    bench.wait(14 - bench.now_s)
    assert bench.table.scores == (8, 0)
    bench.keys("UNDO")
    assert bench.table.scores == (0, 0)


def test_a_slow_disk_delays_and_loses_nothing(days: Days) -> None:
    bench = days.begin('[[trouble]]\nkind = "slow_disk"\nby_s = 2')
    paused = len(days.paused_s)
    bench.leap(0, 0, 8)
    bench.leap(1, 0, 5)
    assert bench.table.scores == (8, 5) and days.paused_s[paused:] == [2.0, 2.0]


def test_a_clock_that_jumps_back_changes_no_order(days: Days) -> None:
    bench = days.begin('[[trouble]]\nkind = "wrong_clock"\nby_s = -86400\nfrom_s = 2')
    bench.wait(3 - bench.now_s)
    bench.leap(0, 0, 8)
    bench.leap(1, 0, 5)
    bench.host.stop()
    bench.journal = Journal.open(days.folder / "journal.sqlite3")
    bench.switch_on()
    assert bench.table.scores == (8, 5)
    summary = next(bench.journal.games())
    assert summary.scores == (8, 5) and abs((summary.started_at - datetime.now(UTC)).total_seconds()) < 3600


def test_a_chain_that_drops_out_is_named_and_comes_back(days: Days) -> None:
    bench = days.begin('[[trouble]]\nkind = "broken_chain"\nstrip = 12\nfrom_s = 2\nfor_s = 5')
    bench.wait(3 - bench.now_s)
    assert first_words(bench).startswith("Chain fault at strip 12")
    bench.board.lift_peg(PLAN.named("red back start").sensor)
    bench.board.place_peg(PLAN.named("red 8").sensor)
    bench.wait(6 - bench.now_s)
    assert bench.table.scores == (0, 0)
    bench.wait(8 - bench.now_s)
    assert bench.table.scores == (8, 0) and not bench.host.snapshot.trouble


def test_the_lights_are_dim_while_nobody_knows_where_the_pegs_are(days: Days) -> None:
    bench = days.begin('[[trouble]]\nkind = "broken_chain"\nstrip = 12\nfrom_s = 9\nfor_s = 5')
    bench.lift(0, -1)  # where the peg was lifted from, and could go: a light that does not blink

    def brightest(at_s: float) -> int:
        bench.wait(at_s - bench.now_s)
        return max(map(max, bench.board.lights.frame))

    before, meanwhile, after = map(brightest, (8.0, 12.0, 16.0))
    assert 0 < meanwhile < before / 2 and after == before


def test_a_noisy_cable_to_the_scanner_costs_no_turn(days: Days) -> None:
    """A third of its words is spoiled, which is heard; what is believed is what was said."""
    bench = days.begin('[[trouble]]\nkind = "serial_noise"\nfrom_s = 3\n')
    bench.wait(3 - bench.now_s)
    for came_from, score in ((0, 8), (-1, 14), (8, 20), (14, 31)):
        bench.leap(0, came_from, score)
        bench.wait(1.0)
    assert bench.table.scores == (31, 0) and not bench.host.snapshot.astray
    assert spoiled_frames(bench) > 5


def test_a_cable_on_which_nothing_comes_through_is_named(days: Days) -> None:
    bench = days.begin('[[trouble]]\nkind = "serial_noise"\nflipped = 0.5\nlost = 0.3\nfrom_s = 3\nfor_s = 5')
    bench.wait(4.5 - bench.now_s)
    assert first_words(bench) == "Board lost: check its cable"
    bench.leap(0, 0, 8)
    assert bench.table.scores == (0, 0)
    bench.wait(12 - bench.now_s)
    assert bench.table.scores == (8, 0) and not bench.host.snapshot.trouble


def test_a_cable_that_is_pulled_and_put_back(days: Days) -> None:
    """The scanner starts anew, and the board is as it left it but for what was moved meanwhile."""
    bench = days.begin('[[trouble]]\nkind = "pulled_cable"\nfrom_s = 5\nfor_s = 5')
    assert first_words(bench) == "The scanner is starting"
    bench.wait(2.5 - bench.now_s)
    assert not bench.host.snapshot.trouble
    bench.leap(0, 0, 8)
    assert bench.table.scores == (8, 0)
    bench.wait(6.5 - bench.now_s)
    assert first_words(bench) == "Board lost: check its cable"
    assert "no such file or directory" in bench.host.snapshot.trouble
    bench.leap(1, 0, 5)
    assert bench.table.scores == (8, 0), "nobody sees it yet"
    bench.wait(14 - bench.now_s)
    assert bench.table.scores == (8, 5) and not bench.host.snapshot.trouble


def test_what_keeps_the_board_from_playing_is_said_in_every_language(days: Days) -> None:
    bench = days.begin('[[trouble]]\nkind = "pulled_cable"\nfrom_s = 3')
    bench.wait(4 - bench.now_s)
    said = {language: bench.host.snapshot.hindrance(words(language)) for language in LANGUAGES}
    assert said["en"] == "Board lost: check its cable" and len(set(said.values())) == len(LANGUAGES)


def test_swapped_strips_score_nothing(days: Days) -> None:
    """Wired wrongly: the pegs in the start row seem to stand elsewhere, and nobody leapt."""
    start = PLAN.named("red start").strip + 1
    other = PLAN.named("red 30").strip + 1
    bench = days.begin(f'[[trouble]]\nkind = "swapped_strips"\nstrips = [{start}, {other}]\nfor_s = 9')
    bench.wait(8 - bench.now_s)
    assert bench.table.scores == (0, 0) and bench.host.snapshot.astray
    bench.wait(12 - bench.now_s)
    assert bench.table.scores == (0, 0) and not bench.host.snapshot.astray
    bench.leap(0, 0, 8)
    assert bench.table.scores == (8, 0)


def test_a_magnet_near_the_board_blinds_it_and_moves_no_score(days: Days) -> None:
    bench = days.begin('[[trouble]]\nkind = "magnet_near"\nhole = "red 15"\nfrom_s = 2\nfor_s = 20')
    bench.wait(10 - bench.now_s)
    assert first_words(bench) == "A magnet is near: take it away"
    assert bench.table.scores == (0, 0)
    bench.wait(23 - bench.now_s)
    assert not bench.host.snapshot.trouble and not bench.host.snapshot.astray
    bench.leap(0, 0, 8)
    assert bench.table.scores == (8, 0)


def test_bouncing_switches_cost_no_turn(days: Days) -> None:
    bench = days.begin('[[trouble]]\nkind = "bouncing_holes"\nbounce_s = 0.06')
    for came_from, score in ((0, 8), (-1, 14), (8, 20)):
        bench.leap(0, came_from, score)
        bench.wait(0.5)
    assert bench.table.scores == (20, 0)


def test_dead_and_stuck_holes_do_not_stop_a_game(days: Days) -> None:
    bench = days.begin(
        '[[trouble]]\nkind = "stuck_holes"\nholes = ["blue 20"]\nfrom_s = 2\n'
        '[[trouble]]\nkind = "dead_holes"\nholes = ["red 30"]'
    )
    bench.wait(10 - bench.now_s)
    bench.leap(0, 0, 8)
    bench.leap(1, 0, 5)
    assert bench.table.scores == (8, 5)


def test_a_display_that_was_lost_shows_the_present_when_it_is_back(
    days: Days, caplog: pytest.LogCaptureFixture
) -> None:
    bench = days.begin('[[trouble]]\nkind = "lost_oled"\nfrom_s = 2\nfor_s = 5')
    before = bench.board.oled_pixels()
    bench.wait(3 - bench.now_s)
    bench.leap(0, 0, 8)
    assert bench.table.scores == (8, 0) and bench.board.oled_pixels() == before
    bench.wait(9 - bench.now_s)
    assert bench.board.oled_pixels() != before
    assert [record.message.split(":")[0] for record in caplog.records if "oled" in record.message] == ["oled"]


def test_a_stuck_key_is_named_and_the_others_work(days: Days) -> None:
    bench = days.begin('[[trouble]]\nkind = "stuck_key"\nkey = "UNDO"\nfrom_s = 2\nfor_s = 30')
    bench.wait(21.5 - bench.now_s)
    seen = set()
    while bench.now_s < 23:
        bench.wait(0.1)
        seen.add(first_words(bench))
    assert "Key UNDO is stuck" in seen
    bench.leap(0, 0, 8)
    assert bench.table.scores == (8, 0)
    bench.keys("5 10")
    assert bench.first_line != "Cut: who deals?"


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        ("", "trouble", "a list of tables"),
        ('[[trouble]]\nkind = "gremlins"', "trouble[0].kind", '"dead_holes" or'),
        ('[[trouble]]\nkind = "dead_holes"\nholes = ["red 99"]', "trouble[0].holes", "a hole of this board"),
        ('[[trouble]]\nkind = "broken_chain"\nstrip = 26', "trouble[0].strip", "a strip from 1 to 25"),
        ('[[trouble]]\nkind = "swapped_strips"\nstrips = [1]', "trouble[0].strips", "two strips from 1 to 25"),
        ('[[trouble]]\nkind = "stuck_key"\nkey = "X"', "trouble[0].key", '"A" or'),
        ('[[trouble]]\nkind = "serial_noise"\nlost = 2', "trouble[0].lost", "a share of the bytes"),
        ('[[trouble]]\nkind = "lost_oled"\nfor_s = 0', "trouble[0].for_s", "seconds above 0"),
        ('[[trouble]]\nkind = "lost_oled"\nfrm_s = 1', "trouble[0]", "nothing more"),
    ],
)
def test_a_plan_that_makes_no_sense_says_where(text: str, where: str, expected: str) -> None:
    with pytest.raises(PlanError) as fault:
        parse_mischief(text, PLAN)
    assert fault.value.where == where and expected in fault.value.expected


def test_a_plan_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(MischiefFault, match="name a text file"):
        read_mischief(tmp_path / "none.toml", PLAN)


def test_troubles_come_again(days: Days) -> None:
    (trouble,) = parse_mischief('[[trouble]]\nkind = "lost_oled"\nfrom_s = 10\nfor_s = 2\nevery_s = 60', PLAN).troubles
    assert [trouble.span.covers(at_s) for at_s in (9, 10, 11.9, 12, 70, 72, 130.5)] == [
        *(False, True, True, False, True, False, True),
    ]


def test_every_kind_is_tried_here_and_told_in_the_readme() -> None:
    text, readme = Path(__file__).read_text(encoding="utf-8"), README.read_text(encoding="utf-8")
    assert [kind for kind in KINDS if f'kind = "{kind}"' not in text or f"`{kind}`" not in readme] == []
