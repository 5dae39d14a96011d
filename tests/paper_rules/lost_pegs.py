"""Pegs lost and misplaced, sensors that fail: `python -m tests.paper_rules.lost_pegs --deals 1000 --seed 1`.

People play by the paper rules and err only with their hands. So whatever the board adds to or takes from what they
earned on paper is a sensor's fault, and each such game is printed with its seed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

from msgspec import Struct, field

from tests.paper_rules.careless import CAREFUL, People
from tests.paper_rules.host_program import DoesNotFit
from tests.paper_rules.run import STEPS_PER_DEAL, random_setting
from tests.paper_rules.script import Line, PaperTable, Setting
from tests.paper_rules.sensed_program import SETTLE_S, SensedProgram
from tests.paper_rules.systems import SYSTEMS

TROUBLES_PER_LINE = 0.12
FOR_EVER_S = 1e9
RECOVERY_S = 20.0
"""After this long every passing trouble is over, and the board has read what it can."""


class Tally(Struct):
    """What was played, and what went wrong: the games by what differed, and the seeds of the first ones."""

    deals: int = 0
    games: int = 0
    moved: int = 0
    """Points that the board gave or took, and paper did not."""
    stuck: int = 0
    helped: int = 0
    """Scores that people had to set by hand."""
    troubles: Counter[str] = field(default_factory=Counter)
    systems: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)


class Troublemaker:
    """Makes trouble for the pegs of one game at random moments. `is_hard`: several troubles a track are possible."""

    def __init__(self, program: SensedProgram, random: Random, tally: Tally, *, is_hard: bool) -> None:
        self._program = program
        self._is_hard = is_hard
        self._random = random
        self._tally = tally
        self._sound_at_s = [0.0] * program.tracks
        """When each track is without trouble again."""
        self.out: set[int] = set()
        """The sensors of pegs that are out of their holes."""

    def perhaps(self) -> None:
        """Something may happen now."""
        if self._random.random() < TROUBLES_PER_LINE:
            trouble = self._random.choice(TROUBLES)
            if trouble(self):
                self._tally.troubles[trouble.__name__] += 1

    def _side(self) -> int:
        return self._random.randrange(self._program.tracks)

    def _is_sound(self, track: int) -> bool:
        """Whether this track may have trouble. Two at once can hide a move altogether: a peg that leaves a hole that is
        stuck for one that is dead changes no reading. Then the board must ask, and move no point by itself."""
        return self._is_hard or self._sound_at_s[track] <= self._program.now_s

    def _seated(self) -> tuple[int, int]:
        """A track, and the sensor under one of its pegs."""
        side = self._side()
        return side, self._random.choice(self._program.hands[side].holes)

    def _near(self) -> tuple[int, int]:
        """A track, and a sensor near its front peg: elsewhere nobody would notice."""
        program = self._program
        side = self._side()
        score = program.hands[side].score + self._random.randint(-12, 30)
        target = program.course.target
        return side, program.sensor(side, program.course.hole_of(max(0, min(score, target))))

    def _for_a_while(self, sensors: set[int], places: set[int], tracks: set[int], longest_s: float) -> bool:
        if not all(map(self._is_sound, tracks)):
            return False
        sensors |= places
        seconds = self._random.uniform(0.2, longest_s)
        for track in tracks:
            self._sound_at_s[track] = self._program.now_s + seconds
        self._program.plan_action(seconds, lambda: sensors.difference_update(places))
        return True

    def weak(self) -> bool:
        """A sensor loses the peg over it several times."""
        program = self._program
        side, place = self._seated()
        if not self._is_sound(side):
            return False
        at_s = 0.0
        for _ in range(self._random.randint(1, 6)):
            at_s += self._random.uniform(0.05, 3.0)
            program.plan_action(at_s, lambda: program.sensors.dead.add(place))
            at_s += self._random.uniform(0.02, 5.0)
            program.plan_action(at_s, lambda: program.sensors.dead.discard(place))
        self._sound_at_s[side] = program.now_s + at_s
        return True

    def unseen(self) -> bool:
        """A peg is badly seated for a while."""
        side, place = self._seated()
        return self._for_a_while(self._program.sensors.dead, {place}, {side}, 12.0)

    def dead(self) -> bool:
        """A sensor dies, for a while or for ever."""
        side, place = self._near()
        return self._for_a_while(self._program.sensors.dead, {place}, {side}, self._random.choice((10.0, FOR_EVER_S)))

    def stuck(self) -> bool:
        """A sensor is stuck, for a while or for ever."""
        side, place = self._near()
        return self._for_a_while(self._program.sensors.forced, {place}, {side}, self._random.choice((10.0, FOR_EVER_S)))

    def magnet(self) -> bool:
        """A magnet or a ring over some neighbouring holes."""
        program = self._program
        _, first = self._near()
        places = set(range(first, first + self._random.choice((1, 1, 2, 4, 12, 40))))
        planned = [program.plan.at_sensor.get(place) for place in places]
        tracks = {each.track for each in planned if each and each.track is not None and each.track < program.tracks}
        return self._for_a_while(program.sensors.forced, places, tracks or set(range(program.tracks)), 6.0)

    def cable(self) -> bool:
        """The board cannot be read for a while."""
        sensors = self._program.sensors
        sensors.is_lost = True
        self._program.plan_action(self._random.uniform(0.2, 8.0), lambda: setattr(sensors, "is_lost", False))
        return True

    def _lift(self, places: Sequence[int], longest_s: float) -> bool:
        if self.out.intersection(places):
            return False  # that peg is in another hand
        program = self._program
        for place in places:
            self._take(place)
            program.wait(self._random.uniform(0.0, 0.5))
        for place in self._random.sample(places, len(places)):
            program.plan_action(self._random.uniform(0.3, longest_s), partial(self._put_back, place))
        return True

    def _take(self, place: int) -> None:
        self._program.sensors.pegs.discard(place)
        self.out.add(place)

    def _put_back(self, place: int) -> None:
        self._program.sensors.pegs.add(place)
        self.out.discard(place)

    def taken_out(self) -> bool:
        """A peg is out of its hole, and comes back."""
        return self._lift([self._random.choice(self._program.hands[self._side()].holes)], 7.0)

    def wiped(self) -> bool:
        """Both pegs are out, and come back in any order."""
        return self._lift(self._program.hands[self._side()].holes, 7.0)

    def all_out(self) -> bool:
        """The board is turned over."""
        return self._lift([place for hands in self._program.hands for place in hands.holes], 7.0)

    def wrong_track(self) -> bool:
        """A peg is put into another track, and comes back."""
        program = self._program
        if program.tracks < 2:
            return False
        side, other = self._random.sample(range(program.tracks), 2)
        origin = self._random.choice(program.hands[side].holes)
        score = max(1, min(program.hands[other].score + self._random.randint(-15, 25), program.course.target - 1))
        place = program.sensor(other, program.course.hole_of(score))
        pegs = program.sensors.pegs
        if place in pegs or origin in self.out or not (self._is_sound(side) and self._is_sound(other)):
            return False
        self._sound_at_s[side] = self._sound_at_s[other] = program.now_s + 10.0
        self._take(origin)
        program.wait(self._random.uniform(0.2, 0.8))
        pegs.add(place)
        away_s = self._random.uniform(0.5, 8.0)
        program.plan_action(away_s, lambda: pegs.discard(place))
        program.plan_action(away_s + self._random.uniform(0.1, 0.6), partial(self._put_back, origin))
        return True

    def swapped(self) -> bool:
        """Two sides lift a peg each and put the other's back."""
        program = self._program
        places = [self._random.choice(hands.holes) for hands in program.hands[:2]]
        return self._lift(places, 2.0)


TROUBLES: tuple[Callable[[Troublemaker], bool], ...] = (
    Troublemaker.weak,
    Troublemaker.unseen,
    Troublemaker.unseen,
    Troublemaker.dead,
    Troublemaker.stuck,
    Troublemaker.magnet,
    Troublemaker.magnet,
    Troublemaker.cable,
    Troublemaker.taken_out,
    Troublemaker.wiped,
    Troublemaker.all_out,
    Troublemaker.wrong_track,
    Troublemaker.swapped,
)


class TroubledGame:
    """One game on paper and on a troubled board."""

    def __init__(self, seed: int, setting: Setting, tally: Tally, *, is_hard: bool) -> None:
        self.paper = PaperTable(setting)
        self.program = SensedProgram(setting, Random(seed + 1))
        self._people = People(Random(seed), setting.knowledge, CAREFUL)
        self._trouble = Troublemaker(self.program, Random(seed + 2), tally, is_hard=is_hard)
        self.lines: list[Line] = []

    def play(self, most_deals: int) -> str:
        """Plays to the end or to the first difference. Returns what differs, or nothing."""
        for _ in range(STEPS_PER_DEAL * most_deals):
            game = self.paper.game
            if game.winner is not None or game.deals > most_deals or self._has_won_early():
                break
            if difference := self._step():
                return difference
        return self._end() if self.paper.game.winner is not None else ""

    def _has_won_early(self) -> bool:
        """Whether the board has named a winner who has on paper still to peg out: without a track points move at once,
        and a peg may seem to be in the game hole already."""
        winner = self.program.table.winner
        game = self.paper.game
        out = [side for side in range(len(game.pegs)) if game.right(side) >= game.target(side)]
        return winner is not None and bool(out) and (winner in out) is not game.rules.lowball

    def _step(self) -> str:
        line = self._people.next_line(self.paper.game, can_undo=False)
        self.lines.append(line)
        is_peg = line[0] in ("leap", "slide", "pegs")
        self._trouble.perhaps()
        if is_peg:
            self._pegs_back()
        if self.paper.do(line):
            return ""
        if (refusal := self.program.do(line)) and not self._goes_on_after_help(line):
            return f"stuck: {refusal}"
        if self._difference():  # nothing may stay: a magnet goes, and pegs come back to their holes
            self.program.wait(RECOVERY_S)
        return self._difference()

    def _pegs_back(self) -> None:
        """Nobody pegs while a peg of the board is in a hand."""
        while self._trouble.out:
            self.program.wait(0.5)

    def _goes_on_after_help(self, line: Line) -> bool:
        """Whether the line is accepted after people waited, pressed ENTER, or set the score that paper has."""
        for help_given in (self.program.wait, lambda _: self.program.press_enter(), lambda _: self._set_scores()):
            help_given(SETTLE_S)
            if not self.program.do(line):
                return True
        return False

    def _set_scores(self) -> None:
        for side, score in enumerate(self.paper.game.scores):
            if self.program.table.scores[side] != score:
                self.program.set_score(side, score)

    def _difference(self) -> str:
        """What the board gives or takes that paper does not."""
        game = self.paper.game
        if game.winner is not None:
            return ""
        rights = [game.right(side) for side in range(len(game.pegs))]
        seen = [max(0, side.rightful) for side in self.program.table.sides]
        if rights != seen:
            return f"points: {rights} on paper, {seen} on the board"
        has_won = self.program.table.winner is not None and not self._has_won_early()
        return "another has won on the board" if has_won else ""

    def _end(self) -> str:
        """The board has to come to the same winner, with help if its sensors are dead."""
        for help_given in (self.program.wait, lambda _: self.program.press_enter(), lambda _: self._set_scores()):
            help_given(SETTLE_S)
            if self.program.table.winner is not None:
                break
        winner = self.program.table.winner
        return "" if winner == self.paper.game.winner else f"stuck: {winner} has won on the board"


def run(
    deals: int, seed: int, systems: Sequence[str] = tuple(SYSTEMS), deals_a_game: int = 3, *, is_hard: bool = False
) -> Tally:
    """Games until so many deals are played. Every card is known, so that no score rests on the word of a sensor."""
    tally = Tally()
    for number in _seeds(seed):
        setting = random_setting(Random(number), systems, ("correct", "acc"), ("known",))
        if ("auction_debt", "debt") in setting.options:
            continue  # no peg shows what a debt pays
        try:
            game = TroubledGame(number, setting, tally, is_hard=is_hard)
        except DoesNotFit:
            continue
        difference = game.play(deals_a_game)
        tally.games += 1
        tally.deals += game.paper.game.deals
        tally.helped += game.program.helped
        tally.systems[setting.system] += 1
        tally.stuck += difference.startswith("stuck")
        tally.moved += bool(difference) and not difference.startswith("stuck")
        if difference:
            tally.examples.append(f"seed {number}: {difference} after {' '.join(game.lines[-1])}\n  {setting}")
        if tally.deals >= deals:
            return tally
    raise AssertionError("seeds never end")


def _seeds(seed: int) -> Iterator[int]:
    number = seed * 1_000_000_000
    while True:
        yield number
        number += 1


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--system", action="append", choices=list(SYSTEMS))
    parser.add_argument("--hard", action="store_true", help="a track may have several troubles at once")
    chosen = parser.parse_args()
    began = time.perf_counter()
    tally = run(chosen.deals, chosen.seed, chosen.system or tuple(SYSTEMS), is_hard=chosen.hard)
    seconds = time.perf_counter() - began
    print(*tally.examples[:20], sep="\n")
    print(dict(tally.troubles), dict(tally.systems), sep="\n")
    rate = tally.deals / seconds
    print(f"{tally.deals} deals, {tally.games} games, {tally.troubles.total()} troubles; {rate:.0f} deals/s")
    print(f"points moved in {tally.moved} games, {tally.stuck} stuck, {tally.helped} scores set by hand")
    return 1 if tally.examples else 0


if __name__ == "__main__":
    sys.exit(main())
