"""What the next deal would lose, in each phase, and where it may be named."""

from __future__ import annotations

import pytest

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.game.state import Table
from firmware_host.ui.keys.next_deal import Loss, LossKind, loss_of_next_deal, next_deal_question
from firmware_host.ui.referee_mode import RefereeMode

CUT, PAIRS = c.CutStarter(parse_card("5H")), c.CountHand(parse_cards("2H 2S 3D 3C"))
ANN_MOVES = c.PegsMoved(0, TrackPegs(0, 9), is_leap=True)


def after(*commands: c.Command | c.Observation, muggins: str = "off") -> Table:
    history, rules = History(), rules_for("six_card", {"muggins_mode": muggins})
    start = c.StartGame(rules, ("Ann", "Ben"), sides_on_board=2, dealer=Seat(0))
    for command in (start, *commands):
        history = history.after(history.decide(command))
    assert history.table
    return history.table


@pytest.mark.parametrize(
    ("commands", "loss"),
    [
        ((), Loss(LossKind.DEAL)),
        ((ANN_MOVES,), None),
        ((ANN_MOVES, c.NextDeal()), Loss(LossKind.DEAL)),
        ((ANN_MOVES, c.DealHand(Seat(0), parse_cards("5H 6H 7H 8H 9H TH"))), Loss(LossKind.DEAL)),
        ((CUT,), None),  # refused in the play
        ((CUT, c.EndPlay()), Loss(LossKind.HANDS)),
        ((CUT, c.EndPlay(), PAIRS), Loss(LossKind.POINTS, "Ben", 6)),
        ((CUT, c.EndPlay(), c.SkipHand(), c.SkipHand(), c.SkipHand()), None),
    ],
)
def test_what_the_next_deal_loses(commands: tuple[c.Command, ...], loss: Loss | None) -> None:
    assert loss_of_next_deal(after(*commands), RefereeMode.TEACHER) == loss


@pytest.mark.parametrize("muggins", ["off", "coach"])
def test_accepted_pegs_are_not_asked_about_again(muggins: str) -> None:
    """A fifteen is missed, and given up when the pegs are accepted."""
    plays = [c.PlayCard(parse_card(card)) for card in ("7H", "8H", "KS")]
    table = after(CUT, *plays, c.AcceptPegs(), c.EndPlay(), *[c.SkipHand()] * 3, muggins=muggins)
    assert loss_of_next_deal(table, RefereeMode.TEACHER) is None


def gathering(muggins: str) -> Table:
    """Everything is counted, and Ann has not pegged her crib."""
    return after(CUT, c.EndPlay(), c.SkipHand(), c.SkipHand(), PAIRS, muggins=muggins)


@pytest.mark.parametrize(
    ("muggins", "mode", "loss"),
    [
        ("off", RefereeMode.TEACHER, Loss(LossKind.POINTS, "Ann", 6)),
        ("coach", RefereeMode.TEACHER, Loss(LossKind.POINTS, "Ann", 6)),
        ("claim", RefereeMode.TEACHER, None),
        ("off", RefereeMode.POLITE, Loss(LossKind.POINTS)),
        ("claim", RefereeMode.POLITE, None),
        ("off", RefereeMode.SILENT, None),
    ],
)
def test_points_are_named_only_where_the_board_may_announce_them(
    muggins: str, mode: RefereeMode, loss: Loss | None
) -> None:
    assert loss_of_next_deal(gathering(muggins), mode) == loss
    if loss:
        assert str(loss.points) in next_deal_question(loss) or not loss.points
