"""A side of two people has its verb in the plural: on the page, on the display, and said."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from firmware_host.board.course import TrackPegs
from firmware_host.config.languages import translator
from firmware_host.cribbage.rules import Margin
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.game.history import History, Turn
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.phases import over
from firmware_host.ui.shown import shown_of
from firmware_host.ui.situation import game_situation
from firmware_host.ui.spoken.prompts import spoken_prompt
from firmware_host.ui.spoken.turns import spoken_turn
from firmware_host.ui.texts.messages import event_message
from firmware_host.ui.texts.peg_news import peg_news
from firmware_host.ui.texts.ruling_labels import ruling_label
from firmware_host.ui.texts.win_margin import win_headline
from tests.game.script import table_after
from tests.ui.test_spoken_sentences import COURSE, context_of

PARTNERS = c.StartGame(rules_for("four_partners"), ("Ann", "Ben", "Cat", "Dan"), scores=(118, 100), sides_on_board=2)
FAR = """
rules six_card
seats Ann Ben
dealer Ben
scores 102 102
pegs by hand
starter KH
show
Ann moves 19 -> nobody wins
"""
WINS = {
    "en": ("Ann & Cat win!", "Ann & Cat win! ENTER", "Ann and Cat win the game!"),
    "fr": ("Ann & Cat gagnent\u202f!", "Ann & Cat gagnent\u202f! ENTER", "Ann et Cat gagnent la partie\u202f!"),
    "pl": ("Wygrywają Ann & Cat!", "Ann & Cat wygrywają! ENTER", "Ann i Cat wygrywają partię!"),
    "ru": ("Победа: Ann & Cat!", "Победа: Ann & Cat! ENTER", "Победа: Ann и Cat!"),
}


def game(*commands: c.Command) -> History:
    history = History()
    for command in (PARTNERS, *commands):
        history = history.after(history.decide(command))
    return history


@pytest.mark.parametrize("language", WINS)
def test_win_of_partners_is_said_in_the_plural(language: str) -> None:
    tr = translator(language)
    table = game(c.CorrectScore(0, 121, "home")).table
    assert table is not None
    said = spoken_turn(Turn((e.GameWon(0),), table, None), tr)
    assert (over.guide(table, tr).headline, over.line(table, tr), *said) == WINS[language]


@pytest.mark.parametrize("margin", Margin)
def test_one_player_wins_and_two_win(margin: Margin) -> None:
    one, two = (win_headline(margin, people, translator("en")) for people in (1, 2))
    assert one.startswith("{name} wins") and two == one.replace("wins", "win")


def test_partners_move_take_and_go_back() -> None:
    table = game().table
    assert table is not None
    tr = translator("en")
    moved = e.PegLeapt(0, TrackPegs(118, 120), stands=True)
    events = (
        moved,
        e.PegAdjusted(0, TrackPegs(100, 118), stands=True),
        e.MugginsTaken(0, 1, 2),
        e.PegsSetBack(0, 3, e.Breach.FRONT_PEG),
    )
    said = " ".join(spoken_turn(Turn(events, table, None), tr))
    for sentence in ("moves", "takes", "goes"):
        assert f"Cat {sentence}" not in said
    assert "Ann and Cat move two, to one hundred and twenty." in said and "Ann and Cat go back three." in said
    assert [event_message(event, table, tr) for event in events] == [
        "Ann & Cat peg 2: now 120.",
        "Ann & Cat move the peg to 118.",
        "Muggins: 2 points to Ann & Cat.",
        "Ann & Cat go back 3.",
    ]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Ann and Cat back to 110. Front peg 110, back peg 0."),
        ("fr", "Ann et Cat\u00a0: retour à 110. Cheville avant 110, arrière 0."),
        ("pl", "Ann i Cat: z powrotem na 110. Przedni kołek 110, tylny 0."),
        ("ru", "Ann и Cat: назад на 110. Передний колышек 110, задний 0."),
    ],
)
def test_partners_who_go_back_need_no_verb(language: str, sentence: str) -> None:
    history = History()
    for command in (replace(PARTNERS, sides_on_board=0), c.CorrectScore(0, 110, "home")):
        history = history.after(history.decide(command))
    (news,) = peg_news(history, translator(language))
    assert news.text == sentence


@pytest.mark.parametrize("has_keys", [True, False])
def test_a_key_accepts_a_peg_only_where_there_are_keys(has_keys: bool) -> None:
    table = table_after(FAR)
    shown = shown_of(table)
    situation = game_situation(shown, k.Idle(), (), ())
    said = spoken_prompt(situation, shown, context_of(table), k.Idle(), COURSE, translator("en"), has_keys=has_keys)
    accepts = " ENTER accepts it." if has_keys else ""
    assert said and said.text == f"Ann: nineteen too far, in the game hole.{accepts}"


def test_partners_take_what_the_others_pegged_too_many() -> None:
    table = game().table
    assert table is not None
    ruling = c.RuleBreach(1, e.Breach.OVERRUN)
    assert ruling_label(ruling, table, translator("en")) == "Ann & Cat take the 0 too many"
    assert ruling_label(ruling, table, translator("fr")) == "Ann & Cat prennent les 0 en trop"
