"""The model of the paper rules against the worked cases R01 to R70 of the rules, with their printed results."""

from __future__ import annotations

from typing import Any

import pytest

from tests.paper_rules.cards import card, cards, count, play_points
from tests.paper_rules.game import PaperGame, Refused
from tests.paper_rules.pegs import Pegs, Verdict, hole, judge
from tests.paper_rules.play import Play
from tests.paper_rules.systems import SYSTEMS, match_points, rules_of

SHOWS = """
R01 hand 5S 5D 5C JH + 5H = 16 12 0 0 1
R02 hand 5S 5D 5C 5H + JH = 16 12 0 0 0
R03 hand 4S 5H 5D 6C + 6H = 8 4 12 0 0
R04 hand 2S 4H 6D 8C + KH = 0 0 0 0 0
R05 hand 2H 6H 8H KH + TS = 0 0 0 4 0
R06 hand 2H 6H 8H KH + TH = 0 0 0 5 0
R07 crib 2H 6H 8H KH + TS = 0 0 0 0 0
R08 crib 2H 6H 8H KH + TH = 0 0 0 5 0
R09 four 2H 6H 8H KH + TS = 0 0 0 4 0
R10 hand 3S 3D 4H 5C + 5H = 4 4 12 0 0
R11 hand 4H 5H QH + 6S = 4 0 3 3 0
R12 hand 4H QH 6S + 5H = 4 0 3 0 0
R13 hand JH 5S 5C + 5H = 8 6 0 0 1
R14 hand KS KC JD + 5H = 6 2 0 0 0
R15 crib 9S 7D 8H 6H + 5H = 4 0 5 0 0
R16 hand 2D 7D 9D + KD = 0 0 0 4 0
R17 hand 5S 5D 5C + 5H = 8 12 0 0 0
R18 hand 4S 4H 5D 5C 6S + 6H = 16 6 24 0 0
R19 hand AS 2H 3D 5C 6S + 7H = 8 0 6 0 0
R20 crib JC 2H 7D 9S + 4C = 2 0 0 0 1
R21 hand QS KH AD 2C + 9D = 0 0 0 0 0
R22 hand 4H 4S 7D AC + KC = 6 2 0 0 0
"""


@pytest.mark.parametrize("line", [pytest.param(line, id=line[:3]) for line in SHOWS.strip().splitlines()])
def test_hands_and_cribs_count_as_worked_out(line: str) -> None:
    _, kind, *shown = line.split(" = ")[0].replace(" + ", " ").split()
    *held, starter = cards(" ".join(shown))
    parts = count(tuple(held), starter, is_crib=kind != "hand", four_flush_in_crib=kind == "four")
    assert list(parts) == [int(points) for points in line.split(" = ")[1].split()]


SERIES = [
    ("R23", "3 2 5 4", "4"),
    ("R24", "3 2 5 A 4", "7"),
    ("R25", "2 A 6 5 3 4", "6"),
    ("R26", "3 8 4", "2"),
    ("R27", "3 6 6", "4"),
    ("R28", "6 4 A 4", "2"),
    ("R29", "8 7 8 8", "0 4"),
    ("R30", "8 7 7 9", "2 2"),
    ("R31", "7 7 7 7", "0 2 6 12"),
    ("R32", "4 5 6", "5"),
    ("R32", "4 5 5 6", "0"),
    ("R33", "3 5 6 7 4", "3 5"),
    ("R33", "K A Q", "0"),
    ("R33", "A 2 3 4 5 6 7", "7"),
    ("R33", "8 7 9 8", "3"),
]


@pytest.mark.parametrize(("case", "ranks", "results"), SERIES)
def test_points_of_the_last_cards_of_a_series(case: str, ranks: str, results: str) -> None:
    series = cards(" ".join(f"{rank}{'SHDC'[number % 4]}" for number, rank in enumerate(ranks.split())))
    expected = [int(points) for points in results.split()]
    ends = range(len(series) - len(expected) + 1, len(series) + 1)
    assert [play_points(series[:end]) for end in ends] == expected


SEQUENCES = [
    ("R34", "five_card", {}, 1, "TS 4D 7C/TH 9C QD", "0:TS 1:TH 0:4D 1:go 0:7C", "1+2 0+2", None),
    ("R34 six", "five_card", {}, 1, "TS 4D 6C/TH 9C QD", "0:TS 1:TH 0:4D 1:go 0:6C", "1+2 0+1", None),
    ("R35", "six_card", {}, 1, "KH KD 4C 4S/QH JD TC 9S", "0:KH 1:QH 0:4C 1:go 0:4S 0:go", "0+2 0+1", 1),
    ("R36", "five_card", {}, 1, "TH 6D 3C/9S 6C KD", "0:TH 1:9S 0:6D 1:6C", "1+4", None),
    (
        "R37",
        "six_card",
        {},
        1,
        "7H 8D 9S 2C/8S 6C KD 4H",
        "0:7H 1:8S 0:9S 1:6C 0:go 1:go 0:8D 1:4H 0:2C 1:KD",
        "1+2 0+3 1+4 1+1 1+1",
        None,
    ),
    (
        "R39",
        "three_hand",
        {},
        0,
        "KS 9H 4D 2C/QD 8C 7S 3H/JH TD 6S AC",
        "1:QD 2:JH 0:KS 1:go 2:AC 0:9H 1:8C 2:TD 0:4D 1:7S 2:6S 0:2C 1:3H",
        "0+3 2+2 2+3 0+2 0+2 1+1",
        None,
    ),
    (
        "R40",
        "four_partners",
        {},
        3,
        "KS 9H 6C 2D/QD 8C 7H 3S/JH TD 5S 4C/TC 9D 8H AH",
        "0:KS 1:QD 2:JH 3:AH 0:9H 1:8C 2:TD 3:go 0:2D 1:go 2:go 0:go 1:7H 2:5S 3:TC 0:6C 1:3S 2:4C 3:9D 3:8H",
        "2+3 3+2 2+3 0+1 1+2 3+1",
        None,
    ),
    (
        "R41",
        "six_card",
        {},
        1,
        "7H 7D 4H 4D/7S 7C 4S 4C",
        "0:7H 1:7S 0:7D 1:7C 0:go 1:go 0:4H 1:4S 0:4D 1:4C",
        "1+2 0+6 1+12 1+1 1+2 0+6 1+12 1+1",
        None,
    ),
    (
        "R42",
        "six_card",
        {},
        1,
        "KH 8D TC 9S/QH 3D JC 2S",
        "0:KH 1:QH 0:8D 1:3D 0:TC 1:JC 0:9S 1:2S",
        "1+2 0+3 1+2",
        None,
    ),
    ("R43", "six_card", {}, 1, "KH 9D 8C 7S/QH JD 4C 3S", "0:KH 1:QH 0:9D 1:JD!over_31", "", 1),
    ("R44", "six_card", {}, 1, "KH 5D 5C 2S/QH JD 9C 9D", "0:KH 1:QH 0:5D 1:go 0:go!false_go", "", 0),
    (
        "R45",
        "three_hand",
        {},
        0,
        "KS 9H 9S 4D/QD JD 8C 7S/6C 3D 3C 2H",
        "1:QD 2:6C 0:KS 1:go 2:3D 0:go 2:2H",
        "2+2",
        0,
    ),
    ("R70", "six_card", {}, 1, "KS 4D 3C 2C/KH 9D 9C 8H", "0:KS 1:KH 0:4D 1:go 0:3C 0:2C", "1+2 0+3 0+1", 1),
    (
        "R70 option",
        "six_card",
        {"go_points": "per_card_after_go"},
        1,
        "KS 4D 3C 2C/KH 9D 9C 8H",
        "0:KS 1:KH 0:4D 1:go 0:3C 0:2C",
        "1+2 0+1 0+4",
        1,
    ),
]


@pytest.mark.parametrize("are_known", [True, False], ids=["hands known", "hands unknown"])
@pytest.mark.parametrize(
    ("system", "options", "dealer", "hands", "moves", "log", "turn"),
    [pytest.param(*case[1:], id=case[0]) for case in SEQUENCES],
)
def test_play_scores_as_worked_out(
    system: str,
    options: dict[str, Any],
    dealer: int,
    hands: str,
    moves: str,
    log: str,
    turn: int | None,
    are_known: bool,
) -> None:
    rules = rules_of(system, options)
    held = tuple(cards(hand) for hand in hands.split("/"))
    play, scored = Play(rules, rules.left(dealer), held if are_known else None), list[str]()
    for move in moves.split():
        seat, _, what = move.partition(":")
        what, _, reason = what.partition("!")
        if reason == ("false_go" if are_known else "over_31"):
            with pytest.raises(Refused, match=reason):
                play.card(int(seat), card(what)) if what != "go" else play.go(int(seat))
        elif reason:
            continue  # hands known: nobody could play, and the series is closed; unknown: no go can be proved false
        elif what != "go":
            scored += [f"{by}+{points}" for by, points, _ in play.card(int(seat), card(what))]
        elif not are_known:  # with all hands known, a seat that cannot play is passed over
            scored += [f"{by}+{points}" for by, points, _ in play.go(int(seat))]
    if "over_31" not in moves or not are_known:
        assert " ".join(scored) == log
    if ("false_go" in moves) <= are_known and ("over_31" in moves) <= (not are_known):
        assert play.turn == turn
    if "false_go" in moves and are_known:
        assert sorted(map(str, play.legal(0))) == ["2S", "5C"]


def test_leaps_and_prices_end_in_the_right_holes() -> None:
    pegs = Pegs()
    for points in (2, 3, 8):
        pegs = pegs.leap(points, 61)
    assert (pegs, hole(13, 61)) == ((13, 5), "13 outer lap 1")  # R46
    assert (Pegs(58, 50).leap(5, 121), hole(63, 121)) == ((63, 58), "3 outer lap 2")  # R47
    assert (Pegs(57, 55).leap(8, 61), hole(61, 61)) == ((61, 57), "game")  # R48
    assert [Pegs(40, 33).back(price) for price in (5, 7, 10)] == [(35, 33), (33, 32), (30, 29)]  # R49
    assert Pegs(4, 1).back(9) == (0, 0)
    assert Pegs(119, 112).leap(2, 121) == (121, 119)  # R50
    assert (Pegs(118, 110).leap(4, 181), hole(122, 181)) == ((122, 118), "2 outer lap 3")
    assert (Pegs(0, 0).leap(60, 121).leap(1, 121), hole(61, 121)) == ((61, 60), "1 outer lap 2")


@pytest.mark.parametrize(
    ("before", "due", "after", "verdict", "holes"),
    [
        pytest.param(Pegs(30, 24), 6, Pegs(36, 30), Verdict.EXACT, 0, id="R51"),
        pytest.param(Pegs(30, 24), 6, Pegs(34, 30), Verdict.UNDER, 2, id="R52"),
        pytest.param(Pegs(30, 24), 6, Pegs(39, 30), Verdict.OVER, 3, id="R53"),
        pytest.param(Pegs(112, 104), 6, Pegs(121, 112), Verdict.FALSE_GAME, 3, id="R54"),
        pytest.param(Pegs(30, 24), 6, Pegs(30, 24), Verdict.NONE, 6, id="R55"),
    ],
)
def test_moves_are_judged_against_what_was_due(
    before: Pegs, due: int, after: Pegs, verdict: Verdict, holes: int
) -> None:
    assert judge(before, after, due, 121) == (verdict, holes)


def game_at(
    scores: tuple[int, ...],
    system: str = "six_card",
    dealer: int = 1,
    hands: str = "",
    starter: str = "KS",
    **options: Any,
) -> PaperGame:
    """A game in the play, with pegs at these scores and these hands kept."""
    game = PaperGame(rules_of(system, {"three_for_last": "off", **options}), dealer, scores)
    for seat, hand in enumerate(hands.split("/") if hands else ()):
        game.hands[seat] = cards(hand)
    game.cut(card(starter))
    return game


def leap(game: PaperGame, side: int, points: int) -> Verdict:
    return game.move(side, Pegs(game.pegs[side].front + points, game.pegs[side].front))


def due(game: PaperGame, side: int, points: int) -> PaperGame:
    """Somebody earned points, as if by a card."""
    game._earn(side, "play", points)
    return game


HANDS = "2S 3S 9H 9D/4H 6C 8C QD"


@pytest.mark.parametrize(
    ("options", "move", "scores", "right"),
    [
        pytest.param({}, 6, (36, 40), (36, 40), id="R51"),
        pytest.param({}, 4, (34, 40), (36, 40), id="R52"),
        pytest.param({"pegging_policy": "acc"}, 4, (34, 40), (34, 40), id="R52 ACC"),
        pytest.param({}, 9, (36, 40), (36, 40), id="R53"),
        pytest.param({"pegging_policy": "acc"}, 9, (36, 40), (36, 43), id="R53 ACC"),
        pytest.param({}, 0, (30, 40), (36, 40), id="R55"),
    ],
)
def test_moves_from_thirty_with_six_due(
    options: dict[str, Any], move: int, scores: tuple[int, int], right: tuple[int, int]
) -> None:
    game = due(game_at((30, 40), hands=HANDS, **options), 0, 6)
    if move:
        leap(game, 0, move)
    if options:
        game._moves_are_final(by=1)
    assert (game.scores, (game.right(0), game.right(1))) == (scores, right)


def test_false_game_sends_back_fifteen() -> None:  # R54
    game = due(game_at((112, 115), hands=HANDS, pegging_policy="acc"), 0, 6)
    game.pegs[0] = Pegs(112, 104)
    assert leap(game, 0, 9) is Verdict.FALSE_GAME
    assert (game.right(0), game.right(1), game.proper[0]) == (103, 118, Pegs(103, 102))
    game.move(0, Pegs(103, 102))
    leap(game, 1, 3)
    assert (game.scores, game.winner) == ((103, 118), None)


def test_false_game_sends_back_fifteen_even_if_the_excess_wins() -> None:  # ACC 8.4.b
    game = game_at((120, 120), hands=HANDS, pegging_policy="acc")
    leap(game, 0, 1)
    game.move(0, game.proper[0])
    leap(game, 1, 1)
    assert (game.scores, game.winner) == ((105, 121), 1)


@pytest.mark.parametrize(
    ("scores", "earned", "pegged", "options", "claim", "result"),
    [
        pytest.param((40, 40), 12, 8, {"muggins_mode": "off"}, 0, (48, 40), id="R56 off"),
        pytest.param((40, 40), 12, 8, {"muggins_mode": "automatic"}, 0, (48, 44), id="R56 automatic"),
        pytest.param((40, 40), 12, 8, {"muggins_mode": "claim"}, 3, (48, 43), id="R57 three"),
        pytest.param((40, 40), 12, 8, {"muggins_mode": "claim"}, 6, (48, 44), id="R57 six"),
        pytest.param((40, 40), 8, 8, {"muggins_mode": "claim"}, 2, (50, 40), id="R58"),
        pytest.param((40, 40), 8, 8, {"muggins_mode": "claim", "false_claim": "none"}, 2, (48, 40), id="R58 none"),
        pytest.param((119, 100), 8, 0, {"muggins_mode": "automatic"}, 0, (119, 102), id="R59"),
        pytest.param((118, 120), 5, 2, {"muggins_mode": "automatic"}, 0, (120, 121), id="R60"),
    ],
)
@pytest.mark.parametrize("policy", ["correct", "acc"])
def test_claims_take_what_was_missed(
    scores: tuple[int, int],
    earned: int,
    pegged: int,
    options: dict[str, Any],
    claim: int,
    result: tuple[int, int],
    policy: str,
) -> None:
    game = due(game_at(scores, hands=HANDS, pegging_policy=policy, **options), 0, earned)
    game.play = Play(game.rules, 1, (cards("2S 3S 9H 9D"), cards("4H 6C 8C QD")))
    if pegged:
        leap(game, 0, pegged)
    if not pegged or game.rules.muggins_mode == "automatic":
        game.card(1, card("4H"))  # the next card of the opponent forfeits what is not pegged
    if claim:
        game.claim(1, claim)
    for side in (0, 1):
        if game.rules.muggins_mode != "off" and side != (0 if pegged < earned else 9) and game.entitled(side) > 0:
            leap(game, side, game.entitled(side))
    assert game.scores == result
    assert game.winner == (1 if result[1] == 121 else None)


def peg_all(game: PaperGame) -> None:
    for side in range(len(game.rules.sides)):
        if game.winner is None and game.entitled(side) > 0:
            leap(game, side, game.entitled(side))


def show(game: PaperGame, *shown: str) -> list[int]:
    """Counts these hands one after the other; everybody pegs."""
    game.phase, points = "show", list[int]()
    for text in shown:
        if game.winner is None:
            points.append(game.count(cards(text)))
            peg_all(game)
    return points


def test_game_ends_at_each_step() -> None:
    game = game_at((113, 110), starter="8D")
    assert show(game, "7S QH 7D QC", "6C 5D 5C 4H") == [8]  # R61: the dealer's twelve count no more
    assert (game.winner, game.scores) == (0, (121, 110))
    game = game_at((119, 119), starter="JS")  # R62
    peg_all(game)
    assert (game.winner, game.scores) == (1, (119, 121))
    with pytest.raises(Refused, match="game_over"):
        game.card(0, card("7S"))
    game = game_at((55, 52), "five_card", starter="6D", target=61)  # R63
    assert show(game, "7C QS 8C", "6S 7S 5H", "9C 7H 4H 7D") == [5, 8, 4]
    assert (game.scores, game.winner) == ((60, 61), 1)


def auction(dealer: int, scores: tuple[int, int], *bids: tuple[int, int | None]) -> PaperGame:
    game = PaperGame(rules_of("auction"), dealer, scores)
    for seat in (0, 1):
        game.deal(seat, cards(("AS 2S 3S 4S 5S 6S", "AH 2H 3H 4H 5H 6H")[seat]))
        game.discard(seat, game.hands[seat][:2])
    for seat, points in bids:
        game.bid(seat, points)
    return game


def test_crib_is_sold_to_the_highest_bidder() -> None:
    game = auction(1, (30, 25), (0, 3), (1, 5), (0, 6), (1, None))  # R64
    assert (game.right(0), game.right(1)) == (24, 25)
    game.move(0, game.proper[0])
    game.cut(card("KD"))
    assert (game.scores, game.turn) == ((24, 25), 0)
    assert [(shown.seat, shown.is_crib) for shown in game.show_order] == [(0, False), (0, True), (1, False)]
    game = auction(1, (30, 25), (0, None), (1, None))  # R65
    game.cut(card("KD"))
    assert (game.owner, game.turn, game.scores) == (None, 0, (30, 25))
    assert [(shown.seat, shown.is_crib) for shown in game.show_order] == [(0, False), (1, False), (1, True)]
    with pytest.raises(Refused, match="exceeds_score"):  # R66
        auction(1, (3, 25), (0, 4))
    with pytest.raises(Refused, match="bid_too_low"):
        auction(1, (30, 25), (0, 4), (1, 4))
    game = auction(0, (30, 25), (1, None), (0, 4))
    game.cut(card("KD"))
    assert (game.owner, game.turn) == (0, 0)


def test_every_system_makes_a_crib_of_four() -> None:
    rules = rules_of("three_hand")  # R67
    game = PaperGame(rules, 2)
    game.cut(card("KD"))
    assert (rules.dealt, rules.from_stock, game.turn) == ((5, 5, 5), 1, 0)
    assert [(shown.seat, shown.is_crib) for shown in game.show_order] == [(0, 0), (1, 0), (2, 0), (2, 1)]
    assert rules.left(2) == 0

    def dealt(system: str, dealer: int) -> list[int]:
        rules = SYSTEMS[system]
        return [rules.dealt[rules.distance(dealer, seat)] for seat in range(rules.players)]

    assert (dealt("six_hand", 0), dealt("five_hand", 4)) == ([4, 5, 5, 5, 5, 4], [5, 5, 5, 5, 4])  # R68
    for rules in SYSTEMS.values():
        assert sum(rules.discarded) + rules.from_stock == 4
        assert {dealt - away for dealt, away in zip(rules.dealt, rules.discarded, strict=True)} == {rules.hand}


def test_skunks_are_worth_more() -> None:  # R69
    assert [match_points(121, 90, "acc"), match_points(121, 91, "acc")] == [3, 2]
    assert [match_points(61, 30, "games"), match_points(121, 60, "games")] == [2, 3]


def worked_game(**options: str) -> PaperGame:
    game = PaperGame(rules_of("five_card", options), 1)
    peg_all(game)
    for seat, dealt, away in ((0, "JH 9S 7D 5S 5C", "9S 7D"), (1, "KS KC JD 8H 6H", "8H 6H")):
        game.deal(seat, cards(dealt))
        game.discard(seat, cards(away))
    game.cut(card("5H"))
    game.card(0, card("JH"))
    game.card(1, card("JD"))
    peg_all(game)
    game.card(0, card("5S"))
    return game


def finish(game: PaperGame) -> tuple[int, ...]:
    while game.phase == "show":
        game.count()
        for side in (0, 1):
            shown = sum(due.points for due in game.dues[side] if due.source != "play")
            leap(game, side, shown) if shown else None
    return game.scores


def test_worked_game_ends_as_the_rules_on_go_say() -> None:  # R38
    game = worked_game()  # (a)
    with pytest.raises(Refused, match="false_go"):
        game.go(0)
    game.card(0, card("5C"))
    assert game.entitled(0) == 3
    peg_all(game)
    assert (game.scores, finish(game)) == ((6, 2), (21, 19))
    game = worked_game(must_play="after_go_optional")  # (b)
    game.go(0)
    assert game.entitled(0) == 1
    peg_all(game)
    assert finish(game) == (19, 19)
    game = worked_game(must_play="after_go_optional", muggins_mode="automatic")  # (c)
    game.go(0)
    assert finish(game) == (18, 20)
    game = worked_game(renege="acc")
    game.go(0)
    assert (game.entitled(1), game.turn) == (2, 0)
    with pytest.raises(Refused, match="false_go"):
        game.go(0)
    assert game.entitled(1) == 2  # a false go is fined once
