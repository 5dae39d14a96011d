"""People move the pegs of the program: page, voice, display and lights say from where to where."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from firmware_host.board.peg_source import PegSource
from firmware_host.config.board_plans import load_plan
from firmware_host.cribbage.cards import JACK, PACK
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.pack import deal_from
from firmware_host.ui.keys.input_state import ForOpponent
from firmware_host.ui.lights.lights import DARK, HoleSignal, Signal
from firmware_host.ui.translator import untranslated
from tests.opponent.listener import HeardHost
from web_panel.views.guidance import guidance

RULES = rules_for("six_card", {"three_for_last": "off"})
ORDERS = (tuple(Random(seed).sample(PACK, len(PACK))) for seed in range(100))
ORDER = next(order for order in ORDERS if deal_from(order, RULES, Seat(1)).starter.rank == JACK)


def with_heels(pegs: PegSource | None = None) -> HeardHost:
    """The board deals and has 12 points; a jack is turned up."""
    host = HeardHost(load_plan("classic-61"), has_drawn_pegs=False)
    host._use_setup(replace(host.setup, peg_sources=(PegSource.SENSORS, PegSource.BY_HAND)))
    host._parts.game._dealer._shuffled_pack = lambda: ORDER
    levels = (None, Level.CLUB)
    names = ("Ann", "The board")
    start = c.StartGame(RULES, names, host.plan.id, dealer=Seat(1), scores=(0, 12), is_dealt=True, levels=levels)
    host.submit(replace(start, pegs=pegs))
    host.pass_time(0.2)
    host.submit(c.DealPack())
    hands = deal_from(ORDER, RULES, Seat(1)).hands
    host.submit(c.DiscardCards(Seat(0), hands[0][:2]))
    host.submit(ForOpponent(c.DiscardCards(Seat(1), hands[1][:2])))
    host.submit(c.TurnStarter())
    host.pass_time(0.1)
    return host


def page_of(host: HeardHost) -> str:
    found = guidance(host.snapshot, untranslated)
    return f"{found.headline} {found.detail}".replace(" ", " ")


def test_a_board_with_sensors_lights_the_pegs_of_the_program() -> None:
    host = with_heels()
    course = host.plan.course(RULES.target)
    front, goal = course.hole_of(12), course.hole_of(14)
    moves = {signal for signal in host.snapshot.signals if signal.signal in (Signal.FROM, Signal.TO)}
    assert HoleSignal(1, goal, Signal.TO) in moves and len(moves) == 2
    assert front not in {signal.hole for signal in moves}  # the back peg goes past the front one
    lit = set[int]()
    for _ in range(20):
        host.pass_time(0.1)
        lit |= {led for led, colour in enumerate(host.model.lights.frame) if colour != DARK}
    assert host.plan.at(1, goal).led in lit
    assert "Peg for The board: 12 to 14." in page_of(host)
    assert "Peg for The board: two, to fourteen." in host.heard[-1]
    assert " ".join(text for text, _scale in host.snapshot.oled_page[:2]) == "Peg for The board +2 → 14"
    assert [text for text, _scale in host.snapshot.own_page[:2]] == ["Peg for The board +2", "→ 14"]  # above the hand


def test_on_their_own_board_people_move_the_pegs_of_the_program() -> None:
    host = with_heels(PegSource.BY_HAND)
    table = host.snapshot.table
    assert table is not None and table.scores == (0, 14)
    assert "Peg for The board: 12 to 14." in page_of(host)
    assert "Peg for The board: 12 to 14." in " ".join(text for text, _scale in host.snapshot.oled_page)
    assert "Peg for The board: two, to fourteen." in " ".join(host.heard)
