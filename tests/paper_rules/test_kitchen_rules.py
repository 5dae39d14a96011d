"""Kitchen rules, case by case: the stinkhole, the limit for a go, and two points for a misdeal.

Every case was worked out by hand. It is played by the paper rules and by the program, which share no code.
"""

from __future__ import annotations

import pytest

from tests.paper_rules.program import PureProgram
from tests.paper_rules.script import PaperTable, read_script

# The pone is to the left of dealer 0: seat 1. Its last card of 29 scores one.
LAST_FOR_PONE = "play 1 KS; play 0 QS; play 1 9H; go 0; go 1"
THIRTY_ONE_FOR_PONE = "play 1 KS; play 0 QS; play 1 9H; go 0; play 1 2H"
PAIR_FOR_DEALER = "play 1 7S; play 0 7H"
FIFTEEN_FOR_DEALER = "play 1 7S; play 0 8H"
# The dealer's one for last, then fifteen with the last card of the deal, then one for last; the pone has one for last.
FIFTEEN_AND_LAST_FOR_DEALER = (
    "play 1 KS; play 0 9S; play 1 QS; go 0; go 1; play 0 TH; play 1 KH; play 0 9C; go 1; go 0; play 1 7S; play 0 8H"
)
SHOW = "endplay; count 2S 3S 9H 9D; count 4H 6C 8C QD"

STINKHOLE = [
    ("six_card stinkhole=heels_and_go", "120,50", "starter JD", "120,50"),
    ("six_card stinkhole=heels_and_go", "119,50", "starter JD", "121,50"),
    ("six_card stinkhole=heels_and_go", "118,50", "starter JD", "120,50"),
    ("six_card stinkhole=heels_and_go", "50,120", "starter JD", "52,120"),
    ("six_card stinkhole=heels_and_go", "50,120", f"starter 3D; {LAST_FOR_PONE}", "50,120"),
    ("six_card stinkhole=heels_and_go", "50,119", f"starter 3D; {LAST_FOR_PONE}", "50,120"),
    ("six_card stinkhole=heels_and_go", "120,119", f"starter 3D; {LAST_FOR_PONE}", "120,120"),
    ("six_card stinkhole=heels_and_go", "50,120", f"starter 3D; {THIRTY_ONE_FOR_PONE}", "50,121"),
    ("six_card stinkhole=heels_and_go", "120,50", f"starter 3D; {PAIR_FOR_DEALER}", "121,50"),
    ("six_card stinkhole=heels_and_go", "120,50", f"starter 3D; {FIFTEEN_FOR_DEALER}", "121,50"),
    ("six_card stinkhole=heels_and_go", "117,50", f"starter 3D; {FIFTEEN_AND_LAST_FOR_DEALER}", "120,51"),
    ("six_card stinkhole=heels_and_go", "116,50", f"starter 3D; {FIFTEEN_AND_LAST_FOR_DEALER}", "120,51"),
    ("six_card stinkhole=heels_and_go target=61", "60,20", "starter JD", "60,20"),
    ("six_card stinkhole=heels_and_go target=181", "20,180", f"starter 3D; {LAST_FOR_PONE}", "20,180"),
    ("six_card stinkhole=heels_and_go go_points=per_pass", "50,120", f"starter 3D; {LAST_FOR_PONE}", "51,120"),
    (
        "six_card stinkhole=heels_and_go go_points=per_card_after_go",
        "50,120",
        "starter 3D; play 1 KS; play 0 QS; play 1 8H; go 0; play 1 2H",
        "50,120",
    ),
    ("five_card stinkhole=heels_and_go", "20,60", f"starter 3D; {LAST_FOR_PONE}", "20,60"),
    ("four_partners stinkhole=heels_and_go", "120,50", "starter JD", "120,50"),
    ("three_hand stinkhole=heels_and_go captain=on", "60,50", "starter JD", "60,50"),
    ("six_card stinkhole=heels", "120,50", "starter JD", "120,50"),
    ("six_card stinkhole=heels", "50,120", f"starter 3D; {LAST_FOR_PONE}", "50,121"),
    ("six_card stinkhole=show_only", "120,50", "starter JD", "120,50"),
    ("six_card stinkhole=show_only", "120,50", f"starter 3D; {PAIR_FOR_DEALER}", "120,50"),
    ("six_card stinkhole=show_only", "50,120", f"starter 3D; {THIRTY_ONE_FOR_PONE}", "50,120"),
    ("six_card stinkhole=show_only", "50,120", "starter 3D; endplay; count 2S 3S 9H 9D", "50,121"),
    ("six_card", "120,50", "starter JD", "121,50"),
]

GO_LIMIT = [
    ("six_card go_limit=115", "50,114", f"starter 3D; {LAST_FOR_PONE}", "50,115"),
    ("six_card go_limit=115", "50,115", f"starter 3D; {LAST_FOR_PONE}", "50,116"),
    ("six_card go_limit=115", "50,116", f"starter 3D; {LAST_FOR_PONE}", "50,116"),
    ("six_card go_limit=115", "50,117", f"starter 3D; {LAST_FOR_PONE}", "50,117"),
    ("six_card go_limit=115", "50,120", f"starter 3D; {LAST_FOR_PONE}", "50,120"),
    ("six_card go_limit=115", "116,50", f"starter 3D; {LAST_FOR_PONE}", "116,51"),
    ("six_card go_limit=115", "50,116", f"starter 3D; {THIRTY_ONE_FOR_PONE}", "50,118"),
    ("six_card go_limit=115", "116,50", f"starter 3D; {PAIR_FOR_DEALER}", "118,50"),
    ("six_card go_limit=115", "116,50", f"starter 3D; {FIFTEEN_FOR_DEALER}", "118,50"),
    ("six_card go_limit=115", "116,50", "starter JD", "118,50"),
    ("six_card go_limit=115", "112,50", f"starter 3D; {FIFTEEN_AND_LAST_FOR_DEALER}", "116,51"),
    ("six_card go_limit=115", "113,50", f"starter 3D; {FIFTEEN_AND_LAST_FOR_DEALER}", "116,51"),
    ("six_card go_limit=115", "115,50", f"starter 3D; {FIFTEEN_AND_LAST_FOR_DEALER}", "118,51"),
    ("six_card go_limit=115 go_points=per_pass", "115,50", f"starter 3D; {LAST_FOR_PONE}", "116,52"),
    ("six_card go_limit=115 go_points=per_pass", "116,50", f"starter 3D; {LAST_FOR_PONE}", "116,52"),
    ("six_card go_limit=115 go_points=per_pass", "50,115", f"starter 3D; {LAST_FOR_PONE}", "51,116"),
    (
        "six_card go_limit=115 go_points=per_card_after_go",
        "50,116",
        "starter 3D; play 1 KS; play 0 QS; play 1 2H; go 0; play 1 4H; go 1",
        "50,116",
    ),
    (
        "six_card go_limit=115 go_points=per_card_after_go",
        "50,116",
        "starter 3D; play 1 KS; play 0 QS; play 1 2H; play 0 4H; go 1; play 0 4S",
        "53,116",
    ),
    (
        "six_card go_limit=115 go_points=per_card_after_go",
        "116,50",
        "starter 3D; play 1 KS; play 0 QS; play 1 2H; play 0 4H; go 1; play 0 4S",
        "118,50",
    ),
    ("five_card go_limit=115 target=121", "50,116", f"starter 3D; {LAST_FOR_PONE}", "50,116"),
    ("seven_card go_limit=115 target=121", "50,115", f"starter 3D; {LAST_FOR_PONE}", "50,116"),
    ("six_card go_limit=115", "50,116", "starter 3D; endplay; count 2S 3S 9H 9D", "50,121"),
    ("six_card", "50,116", f"starter 3D; {LAST_FOR_PONE}", "50,117"),
]

MISDEAL = [
    ("six_card misdeal=two_points", "30,40", "misdeal number", "30,42"),
    ("six_card misdeal=two_points", "30,40", "misdeal exposed", "30,40"),
    ("six_card", "30,40", "misdeal number", "30,40"),
    ("six_card misdeal=two_points", "30,40", "misdeal number; misdeal number", "30,44"),
    ("six_card misdeal=two_points", "30,40", "misdeal number; misdeal exposed", "30,42"),
    ("six_card misdeal=two_points", "30,119", "misdeal number", "30,121"),
    ("six_card misdeal=two_points", "30,120", "misdeal number", "30,121"),
    ("six_card misdeal=two_points", "120,30", "misdeal number", "120,32"),
    ("six_card misdeal=two_points target=61", "10,60", "misdeal number", "10,61"),
    ("six_card misdeal=two_points stinkhole=show_only", "30,120", "misdeal number", "30,121"),
    ("six_card misdeal=two_points go_limit=115", "30,117", "misdeal number", "30,119"),
    ("six_card misdeal=two_points muggins_mode=automatic", "30,40", "misdeal number", "30,42"),
    ("five_card misdeal=two_points", "0,0", "misdeal number", "0,5"),
    ("seven_card misdeal=two_points", "30,40", "misdeal number", "30,42"),
    ("auction misdeal=two_points", "30,40", "misdeal number", "30,42"),
    ("three_hand misdeal=two_points", "10,20,30", "misdeal number", "10,22,30"),
    ("three_hand misdeal=two_points captain=on", "10,20", "misdeal number", "10,22"),
    ("four_partners misdeal=two_points", "30,40", "misdeal number", "30,42"),
    ("four_single misdeal=two_points", "10,20,30,40", "misdeal number", "10,22,30,40"),
    ("five_hand misdeal=two_points", "1,2,3,4,5", "misdeal number", "1,4,3,4,5"),
    ("six_hand misdeal=two_points sides=0,3/1,4/2,5", "10,20,30", "misdeal number", "10,22,30"),
    ("six_card misdeal=two_points", "30,40", "starter 3D; misdeal number wrong_phase", "30,40"),
]


@pytest.mark.parametrize(("game", "scores", "moves", "expected"), [*STINKHOLE, *GO_LIMIT, *MISDEAL])
def test_paper_and_program_agree_on_kitchen_rules(game: str, scores: str, moves: str, expected: str) -> None:
    system, *options = game.split()
    first = f"game {system} played dealer=0 scores={scores} {' '.join(options)}"
    setting, lines = read_script("\n".join([first, *moves.split(";")]))
    paper, program = PaperTable(setting), PureProgram(setting)
    for line in lines:
        refusal = line[-1] if line[-1].endswith("_phase") else ""
        action = line[:-1] if refusal else line
        assert (paper.do(action), program.do(action)) == (refusal, refusal)
    right = [paper.game.right(side) for side in range(len(setting.scores))]
    assert ",".join(map(str, right)) == expected
    assert ",".join(str(side.goal_hole) for side in program.table.sides) == expected


def test_there_are_twenty_cases_of_each_rule() -> None:
    for rule, cases in {"stinkhole=": STINKHOLE, "go_limit=": GO_LIMIT, "misdeal=": MISDEAL}.items():
        assert len(set(cases)) == len(cases)
        assert sum(rule in game for game, *_ in cases) >= 20


@pytest.mark.parametrize(
    ("scores", "moves", "winner"),
    [
        pytest.param("50,119,50", "starter 3D; leap 1 2", 0, id="seat 1, the pone, counts first"),
        pytest.param("50,119,50", "starter JD; leap 1 2", 2, id="heels count, pegged or not"),
        pytest.param("50,50,119", "starter 3D; leap 2 2", 0, id="the dealer counts last"),
        pytest.param("119,50,50", "starter JD; leap 0 2", 2, id="seat 1 counts before seat 2"),
        pytest.param("50,119,40", "starter 3D; leap 1 2", 2, id="not level"),
    ],
)
def test_of_level_sides_in_lowball_the_one_that_counts_last_wins(scores: str, moves: str, winner: int) -> None:
    first = f"game three_hand played dealer=0 scores={scores} lowball=on"
    setting, lines = read_script("\n".join([first, *moves.split(";")]))
    paper, program = PaperTable(setting), PureProgram(setting)
    for line in lines:
        assert (paper.do(line), program.do(line)) == ("", "")
    program.do(("accept",))
    paper.do(("accept",))
    assert (paper.game.winner, program.table.winner) == (winner, winner)
