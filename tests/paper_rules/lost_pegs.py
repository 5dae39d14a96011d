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
from random import Random

from msgspec import Struct, field

from firmware_host.board.course import Hole
from tests.paper_rules.careless import CAREFUL, People
from tests.paper_rules.host_program import DoesNotFit
from tests.paper_rules.run import STEPS_PER_DEAL, random_setting
from tests.paper_rules.script import Line, PaperTable, Setting
from tests.paper_rules.sensed_program import SETTLE_S, SensedProgram
from tests.paper_rules.systems import SYSTEMS

TROUBLES_PER_LINE = 0.12
FOR_EVER_S = 1e9


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
    """Makes trouble for the pegs of one game at random moments."""

    def __init__(self, program: SensedProgram, random: Random, tally: Tally) -> None:
        self._program = program
        self._random = random
        self._tally = tally

    def perhaps(self) -> None:
        """Something may happen now."""
        if self._random.random() < TROUBLES_PER_LINE:
            trouble = self._random.choice(TROUBLES)
            self._tally.troubles[trouble.__name__.strip("_")] += 1
            trouble(self)

    def _side(self) -> int:
        return self._random.randrange(self._program.tracks)

    def _any_sensor(self) -> int:
        """One near a front peg: elsewhere nobody would notice."""
        program = self._program
        side = self._side()
        score = program.hands[side].score + self._random.randint(-12, 30)
        target = program.course.target
        return program.sensor(side, program.course.hole_of(max(0, min(score, target))))

    def _for_a_while(self, sensors: set[int], places: set[int], longest_s: float) -> None:
        sensors |= places
        self._program.plan_action(self._random.uniform(0.2, longest_s), lambda: sensors.difference_update(places))

    def weak(self) -> None:
        """A sensor loses the peg over it several times."""
        program = self._program
        place = self._random.choice(program.hands[self._side()].holes)
        at_s = 0.0
        for _ in range(self._random.randint(1, 6)):
            at_s += self._random.uniform(0.05, 3.0)
            program.plan_action(at_s, lambda: program.sensors.dead.add(place))
            at_s += self._random.uniform(0.02, 5.0)
            program.plan_action(at_s, lambda: program.sensors.dead.discard(place))

    def unseen(self) -> None:
        """A peg is badly seated for a while."""
        place = self._random.choice(self._program.hands[self._side()].holes)
        self._for_a_while(self._program.sensors.dead, {place}, 12.0)

    def dead(self) -> None:
        """A sensor dies, for a while or for ever."""
        self._for_a_while(self._program.sensors.dead, {self._any_sensor()}, self._random.choice((10.0, FOR_EVER_S)))

    def stuck(self) -> None:
        """A sensor is stuck, for a while or for ever."""
        self._for_a_while(self._program.sensors.forced, {self._any_sensor()}, self._random.choice((10.0, FOR_EVER_S)))

    def magnet(self) -> None:
        """A magnet or a ring over some neighbouring holes."""
        first = self._any_sensor()
        places = set(range(first, first + self._random.choice((1, 1, 2, 4, 12, 40))))
        self._for_a_while(self._program.sensors.forced, places, 6.0)

    def cable(self) -> None:
        """The board cannot be read for a while."""
        sensors = self._program.sensors
        sensors.is_lost = True
        self._program.plan_action(self._random.uniform(0.2, 8.0), lambda: setattr(sensors, "is_lost", False))

    def _lift(self, places: Sequence[int], longest_s: float) -> None:
        pegs = self._program.sensors.pegs
        for place in places:
            pegs.discard(place)
            self._program.wait(self._random.uniform(0.0, 0.5))
        for place in self._random.sample(places, len(places)):
            self._program.plan_action(self._random.uniform(0.3, longest_s), lambda place=place: pegs.add(place))  # type: ignore[misc]

    def taken_out(self) -> None:
        """A peg is out of its hole, and comes back."""
        self._lift([self._random.choice(self._program.hands[self._side()].holes)], 7.0)

    def wiped(self) -> None:
        """Both pegs are out, and come back in any order."""
        self._lift(self._program.hands[self._side()].holes, 7.0)

    def all_out(self) -> None:
        """The board is turned over."""
        self._lift([place for hands in self._program.hands for place in hands.holes], 7.0)

    def wrong_track(self) -> None:
        """A peg is put into another track, and comes back."""
        program = self._program
        if program.tracks < 2:
            return
        side, other = self._random.sample(range(program.tracks), 2)
        origin = self._random.choice(program.hands[side].holes)
        score = max(1, min(program.hands[other].score + self._random.randint(-15, 25), program.course.target - 1))
        place = program.sensor(other, Hole(int(program.course.hole_of(score))))
        pegs = program.sensors.pegs
        if place in pegs:
            return
        pegs.discard(origin)
        program.wait(self._random.uniform(0.2, 0.8))
        pegs.add(place)
        away_s = self._random.uniform(0.5, 8.0)
        program.plan_action(away_s, lambda: pegs.discard(place))
        program.plan_action(away_s + self._random.uniform(0.1, 0.6), lambda: pegs.add(origin))

    def swapped(self) -> None:
        """Two sides lift a peg each and put the other's back."""
        program = self._program
        places = [self._random.choice(hands.holes) for hands in program.hands[:2]]
        self._lift(places, 2.0)


TROUBLES: tuple[Callable[[Troublemaker], None], ...] = (
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

    def __init__(self, seed: int, setting: Setting, tally: Tally) -> None:
        self.paper = PaperTable(setting)
        self.program = SensedProgram(setting, Random(seed + 1))
        self._people = People(Random(seed), setting.knowledge, CAREFUL)
        self._trouble = Troublemaker(self.program, Random(seed + 2), tally)
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
        return self._difference()

    def _pegs_back(self) -> None:
        """Nobody pegs while a peg of the board is in a hand."""
        while any(place not in self.program.sensors.pegs for hands in self.program.hands for place in hands.holes):
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


def run(deals: int, seed: int, systems: Sequence[str] = tuple(SYSTEMS), deals_a_game: int = 3) -> Tally:
    """Games until so many deals are played. Every card is known, so that no score rests on the word of a sensor."""
    tally = Tally()
    for number in _seeds(seed):
        setting = random_setting(Random(number), systems, ("correct", "acc"), ("known",))
        try:
            game = TroubledGame(number, setting, tally)
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
    chosen = parser.parse_args()
    began = time.perf_counter()
    tally = run(chosen.deals, chosen.seed, chosen.system or tuple(SYSTEMS))
    seconds = time.perf_counter() - began
    print(*tally.examples[:20], sep="\n")
    print(dict(tally.troubles), dict(tally.systems), sep="\n")
    rate = tally.deals / seconds
    print(f"{tally.deals} deals, {tally.games} games, {tally.troubles.total()} troubles; {rate:.0f} deals/s")
    print(f"points moved in {tally.moved} games, {tally.stuck} stuck, {tally.helped} scores set by hand")
    return 1 if tally.examples else 0


if __name__ == "__main__":
    sys.exit(main())
