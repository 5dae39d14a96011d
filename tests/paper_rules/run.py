"""Random games on paper and in the program: `python -m tests.paper_rules.run --deals 1000 --seed 1`.

Each difference is printed with its seed and deal, as a short script that `--replay FILE` plays again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

from msgspec import Struct, field
from msgspec.structs import replace

from tests.paper_rules.careless import CAREFUL, CARELESS, Manners, People
from tests.paper_rules.compare import Difference, Match, replay, shortened
from tests.paper_rules.host_program import DoesNotFit, HostProgram
from tests.paper_rules.program import Program, PureProgram
from tests.paper_rules.script import Line, Setting, read_script
from tests.paper_rules.systems import SYSTEMS, rules_of

STEPS_PER_DEAL = 400
"""More lines than any deal needs; it ends a game that goes nowhere."""

HOUSE_RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("muggins_mode", ("off", "coach", "claim", "claim", "automatic")),
    ("muggins_scope", ("both", "both", "show")),
    ("muggins_window", ("acc", "acc", "next_card")),
    ("false_claim", ("penalty", "none")),
    ("pegging_policy", ("correct", "acc")),
    ("renege", ("correct", "acc", "two_flat")),
    ("heels", ("claimable", "forfeit")),
    ("front_peg_removed", ("restore", "becomes_rear")),
    ("foreign_peg", ("restore", "penalty")),
    ("must_play", ("always", "always", "always", "after_go_optional")),
    ("crib_flush", ("five_only", "five_only", "four_ok")),
    ("play_flush", ("off", "off", "off", "three_up")),
    ("go_points", ("last_card", "last_card", "per_pass", "per_card_after_go")),
    ("stinkhole", ("off", "off", "heels_and_go", "heels", "show_only")),
    ("go_limit", ("none", "none", "115")),
    ("misdeal", ("redeal", "two_points")),
    ("direction", ("clockwise", "clockwise", "clockwise", "counterclockwise")),
)
"""Options that a random game chooses from; a value that stands twice is chosen twice as often."""


def random_setting(
    random: Random, systems: Sequence[str], policies: Sequence[str], knowledge: Sequence[str]
) -> Setting:
    """A system with random house rules, at random scores. An auction is played with known cards only."""
    knows = random.choice(knowledge)
    system = random.choice([name for name in systems if knows == "known" or name != "auction"])
    options = {name: random.choice(values) for name, values in HOUSE_RULES}
    options["pegging_policy"] = random.choice(policies)
    options.update(_shape(random, system))
    options = {name: value for name, value in options.items() if value != getattr(SYSTEMS[system], name, None)}
    rules = rules_of(system, Setting(system, "known", 0, (), tuple(options.items())).typed_options)
    scores = tuple(
        random.choice((0, random.randrange(rules.target_of(side)), rules.target_of(side) - random.randint(1, 15)))
        for side in range(len(rules.sides))
    )
    return Setting(system, knows, random.randrange(rules.players), scores, tuple(options.items()))


def _shape(random: Random, system: str) -> dict[str, str]:
    """Targets, captain, lowball and sides, where the system has them."""
    shape: dict[str, str] = {}
    if random.random() < 0.3:
        shape["target"] = random.choice(("61", "121", "181"))
    if system == "three_hand" and random.random() < 0.15:
        return {"captain": "on"}
    if system == "auction":
        shape["players"] = random.choice(("2", "2", "3", "4"))
        shape["auction_heels"] = random.choice(("dealer", "owner"))
        shape["auction_debt"] = random.choice(("limit", "debt"))
        shape["auction_when"] = random.choice(("before_starter", "after_starter"))
    if system == "six_hand":
        shape["sides"] = random.choice(("0/1/2/3/4/5", "0,2,4/1,3,5", "0,3/1,4/2,5"))
    if random.random() < 0.05:
        shape["lowball"] = "on"
    if SYSTEMS[system].players > 2 and random.random() < 0.1:
        shape["go_three_plus"] = "stop"
    return shape


class Tally(Struct):
    """What was played, and the first difference of each kind."""

    deals: int = 0
    games: int = 0
    lines: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    examples: dict[str, tuple[int, Setting, list[Line], Difference]] = field(default_factory=dict)


def play_game(
    seed: int, setting: Setting, program: Callable[[Setting], Program], manners: Manners, most_deals: int, tally: Tally
) -> None:
    """One game, to its end, to the first difference, or until enough deals are played."""
    try:
        match, people = Match(setting, program), People(Random(seed), setting.knowledge, manners)
    except DoesNotFit:
        return
    tally.games += 1
    for _ in range(STEPS_PER_DEAL * most_deals):
        game = match.game
        if game.winner is not None or game.deals > most_deals:
            break
        line = people.next_line(game, can_undo=bool(match.paper.past))
        difference = match.do(line)
        tally.lines += 1
        if difference:
            kind = kind_of(setting, difference)
            tally.kinds[kind] += 1
            tally.examples.setdefault(kind, (seed, setting, list(match.lines), difference))
            break
    tally.deals += match.game.deals


def kind_of(setting: Setting, difference: Difference) -> str:
    """The kind of a difference, with the rules that matter most."""
    options = dict(setting.options)
    policy, mode = options.get("pegging_policy", "correct"), options.get("muggins_mode", "off")
    return f"{difference.kind} [{policy}, muggins {mode}, {setting.knowledge}]"


def run(
    deals: int,
    seed: int,
    program: Callable[[Setting], Program],
    *,
    systems: Sequence[str] = tuple(SYSTEMS),
    policies: Sequence[str] = ("correct", "acc"),
    knowledge: Sequence[str] = ("known",),
    manners: Manners = CARELESS,
    deals_a_game: int = 4,
) -> Tally:
    """Random games until so many deals are played, or until Ctrl-C."""
    tally = Tally()
    with suppress(KeyboardInterrupt):
        for number in _seeds(seed):
            setting = random_setting(Random(number), systems, policies, knowledge)
            play_game(number, setting, program, manners, deals_a_game, tally)
            if tally.deals >= deals:
                break
    return tally


def _seeds(seed: int) -> Iterator[int]:
    number = seed * 1_000_000_000
    while True:
        yield number
        number += 1


def report(tally: Tally, program: Callable[[Setting], Program], seconds: float, out: Callable[[str], object]) -> None:
    """Prints the tally, and a short script of each kind of difference."""
    for kind, number in tally.kinds.most_common():
        seed, setting, lines, difference = tally.examples[kind]
        setting, short = shortened(setting, lines, program, difference)
        found = replay(setting, short, program)
        out(f"\n== {number} x {kind}\n# seed {seed}; {found or difference}\n{setting}")
        for line in short:
            out(" ".join(line))
    out(
        f"\n{tally.deals} deals, {tally.games} games, {tally.lines} lines, {tally.kinds.total()} differences, "
        f"{tally.deals / max(seconds, 0.001):.0f} deals/s"
    )


def replay_file(path: Path, program: Callable[[Setting], Program]) -> int:
    """Plays a script of this file; says the first difference. Returns the number of differences."""
    setting, lines = read_script(path.read_text(encoding="utf-8"))
    match = Match(setting, program)
    for line in lines:
        difference = match.do(line)
        table, game = match.program.table, match.game
        rights = [game.right(side) for side in range(len(game.pegs))]
        earned = [side.rightful for side in table.sides]
        print(f"{' '.join(line):24} paper {game.scores} of {rights}  program {table.scores} of {earned}")
        if difference:
            print(difference)
            return 1
    print("no difference")
    return 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--system", action="append", choices=list(SYSTEMS))
    parser.add_argument("--policy", action="append", choices=["correct", "acc"])
    parser.add_argument("--knowledge", action="append", choices=["known", "played", "pegs"])
    parser.add_argument("--host", action="store_true", help="the whole host on a simulated board; about 1 deal/s")
    parser.add_argument("--careful", action="store_true", help="nobody pegs or plays wrongly")
    parser.add_argument(
        "--never", action="append", default=[], metavar="WHAT", help="a field of Manners: nobody does it"
    )
    parser.add_argument("--replay", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    program: Callable[[Setting], Program] = HostProgram if chosen.host else PureProgram
    if chosen.replay:
        return replay_file(chosen.replay, program)
    began = time.perf_counter()
    tally = run(
        chosen.deals,
        chosen.seed,
        program,
        systems=chosen.system or tuple(SYSTEMS),
        policies=chosen.policy or ("correct", "acc"),
        knowledge=chosen.knowledge or ("known",),
        manners=CAREFUL if chosen.careful else replace(CARELESS, **dict.fromkeys(chosen.never, 0.0)),
    )
    report(tally, program, time.perf_counter() - began, print)
    return 1 if tally.kinds else 0


if __name__ == "__main__":
    sys.exit(main())
