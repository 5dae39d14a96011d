"""What people hear and read about the pegs of a board that the program does not see."""

from __future__ import annotations

import pytest

from firmware_host.config.languages import translator
from firmware_host.cribbage.cards import parse_card, parse_cards
from firmware_host.cribbage.rules import Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.history import History
from firmware_host.ui.texts.peg_news import peg_news, spoken_peg_news
from firmware_host.ui.translator import untranslated

ANN, BEN = 0, 1


def game(*commands: c.Command, sides_on_board: int = 0, scores: tuple[int, int] = (0, 0), **options: object) -> History:
    """Ann deals; her score and Ben's are `scores`."""
    rules = rules_for("six_card", options)
    start = c.StartGame(rules, ("Ann", "Ben"), "", sides_on_board, "muggins_mode" in options, Seat(ANN), scores)
    history = History()
    for command in (start, *commands):
        history = history.after(history.decide(command))
    return history


def card(text: str) -> c.PlayCard:
    return c.PlayCard(parse_card(text))


def said(history: History) -> list[str]:
    return [news.text for news in peg_news(history)]


STARTER = c.CutStarter(parse_card("KH"))
SHOW = (STARTER, c.EndPlay())


@pytest.mark.parametrize(
    ("commands", "sentences"),
    [
        ((c.EnterPoints(ANN, 8),), ["Ann +8, now 47. Peg 39 to 47."]),
        ((c.CutStarter(parse_card("JH")),), ["Two for his heels, Ann. Peg 39 to 41."]),
        ((STARTER, card("5C"), card("10C")), ["Fifteen for two, Ann. Peg 39 to 41."]),
        ((*SHOW, c.CountHand(parse_cards("5C 5D JC QC"))), ["Ben’s hand: 17 points. Peg 58 to 75."]),
        ((c.EnterPoints(ANN, 8), c.NextDeal()), []),
        ((c.EnterPoints(ANN, 8), c.Undo()), ["Ann back to 39. Front peg 39, back peg 0."]),
        ((c.EnterPoints(ANN, 8), c.Undo(), c.Redo()), ["Ann +8, now 47. Peg 39 to 47."]),
        ((c.CorrectScore(BEN, 50, "x"),), ["Ben back to 50. Front peg 50, back peg 0."]),
        ((c.CorrectScore(BEN, 60, "x"),), ["Ben +2, now 60. Peg 58 to 60."]),
        ((c.CorrectScore(BEN, 50, "x"), c.Undo()), ["Ben +8, now 58. Peg 50 to 58."]),
        ((c.CorrectScore(BEN, 58, "x"),), []),
    ],
)
def test_each_move_says_why_and_from_where_to_where(commands: tuple[c.Command, ...], sentences: list[str]) -> None:
    assert said(game(*commands, scores=(39, 58))) == sentences


def test_a_hand_that_wins_keeps_its_points() -> None:
    history = game(*SHOW, c.CountHand(parse_cards("5C 5D JC QC")), scores=(39, 118))
    assert said(history) == ["Ben’s hand: 17 points. Peg 118 to 121."]


def test_a_board_that_is_seen_has_no_news() -> None:
    assert not said(game(c.CutStarter(parse_card("JH")), sides_on_board=2))


def test_a_card_that_says_the_goes_before_it_tells_their_point() -> None:
    history = game(STARTER, card("KC"), card("QC"), card("9D"), c.PlayCard(parse_card("9C"), says_goes=True))
    assert said(history) == ["One for last, Ben. Peg 0 to 1."]


def test_only_entered_points_can_be_taken_back_by_their_number() -> None:
    entered = [news.is_entered for news in peg_news(game(c.EnterPoints(ANN, 8)))]
    counted = [news.is_entered for news in peg_news(game(c.CutStarter(parse_card("JH"))))]
    undone = [news.is_entered for news in peg_news(game(c.EnterPoints(ANN, 8), c.EnterPoints(ANN, 2), c.Undo()))]
    assert (entered, counted, undone) == ([True], [False], [False])


@pytest.mark.parametrize(
    ("mode", "command", "sentences"),
    [
        ("claim", c.EnterPoints(ANN, 2), ["Ann +2, now 2. Peg 0 to 2."]),
        ("coach", c.EnterPoints(ANN, 2), ["Ann +2, now 2. Peg 0 to 2."]),
        ("automatic", c.EnterPoints(ANN, 1), ["Ann +1, now 1. Peg 0 to 1.", "Muggins: 1 point to Ben. Peg 0 to 1."]),
    ],
)
def test_with_muggins_each_names_what_he_takes(mode: str, command: c.Command, sentences: list[str]) -> None:
    due = (STARTER, card("5C"), card("10C"))
    assert not said(game(*due, muggins_mode=mode))
    assert said(game(*due, command, muggins_mode=mode)) == sentences


def test_a_claim_moves_the_peg_of_who_claims() -> None:
    missed = (STARTER, card("5C"), card("10C"), c.EnterPoints(ANN, 1), card("2C"), c.ClaimMuggins(BEN, 1))
    assert said(game(*missed, muggins_mode="claim")) == ["Muggins: 1 point to Ben. Peg 0 to 1."]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Ann back to thirty-nine. Front peg thirty-nine, back peg zero."),
        ("fr", "Ann : retour à trente-neuf. Cheville avant trente-neuf, arrière zéro."),
        ("pl", "Ann: z powrotem na trzydzieści dziewięć. Przedni kołek trzydzieści dziewięć, tylny zero."),
        ("ru", "Ann: назад на тридцать девять. Передний колышек тридцать девять, задний ноль."),
    ],
)
def test_the_voice_says_numbers_as_words(language: str, sentence: str) -> None:
    tr = untranslated if language == "en" else translator(language)
    (news,) = spoken_peg_news(game(c.EnterPoints(ANN, 8), c.Undo(), scores=(39, 58)), tr)
    assert news.text == sentence


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Ann moves eight, to forty-seven."),
        ("fr", "Ann avance de huit, au trou quarante-sept."),
        ("pl", "Ann: ruch o osiem, wynik czterdzieści siedem."),
        ("ru", "Ann: ход на восемь, счёт сорок семь."),
    ],
)
def test_the_voice_says_a_move_forward_once_and_by_its_holes(language: str, sentence: str) -> None:
    """A hand counts holes; and a number after "from" needs another case in Polish and Russian."""
    tr = untranslated if language == "en" else translator(language)
    (news,) = spoken_peg_news(game(c.EnterPoints(ANN, 8), c.Undo(), c.Redo(), scores=(39, 58)), tr)
    assert news.text == sentence
