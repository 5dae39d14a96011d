"""Anybody can check afterwards that the cards were those of the pack that was committed to."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from firmware_host.cli.games import command
from firmware_host.cribbage.cards import PACK
from firmware_host.cribbage.rules import Seat
from firmware_host.game import commands as c
from firmware_host.game import events as e
from firmware_host.stats.deal_proofs import proofs_of
from firmware_host.storage.game_summary import Events
from firmware_host.storage.journal import Journal
from tests.game.test_dealt_cards import NONCE, ORDER, DealtGame


def turns_of(game: DealtGame) -> list[Events]:
    return [turn.events for turn in game.history.turns_back()][::-1]


@pytest.fixture
def two_deals() -> DealtGame:
    """The first deal is over, and the pack of the second one is shuffled."""
    game = DealtGame()
    game.do(c.ShufflePack(ORDER, NONCE), c.DealPack())
    game.discard_all()
    game.do(c.TurnStarter())
    game.play_all()
    game.do(c.NextDeal(), c.ShufflePack(PACK, NONCE))
    return game


def changed(turns: list[Events], change: object) -> list[Events]:
    return [tuple(change(event) for event in turn) for turn in turns]  # type: ignore[operator]


def test_a_deal_that_is_over_has_a_proof_and_the_one_that_is_on_has_none(two_deals: DealtGame) -> None:
    (proof,) = proofs_of(turns_of(two_deals), is_past=False)
    assert proof.holds and proof.pack.order == ORDER and proof.dealer == 0
    assert sha256(proof.pack.proof.encode()).hexdigest() == proof.commitment


def test_the_last_deal_of_a_game_that_was_given_up_stays_secret(two_deals: DealtGame) -> None:
    assert len(proofs_of(turns_of(two_deals), is_past=True)) == 1


def test_the_last_deal_of_a_finished_game_is_proved_once_nothing_can_be_undone(two_deals: DealtGame) -> None:
    two_deals.do(c.CorrectScore(0, 121, "x"))
    assert len(proofs_of(turns_of(two_deals), is_past=False)) == 1
    turns = [*turns_of(two_deals), (e.GameWon(0),)]
    assert len(proofs_of(turns, is_past=True)) == 2


def test_the_deal_that_ended_the_game_is_proved_at_once_if_every_hand_was_shown() -> None:
    game = DealtGame()
    game.do(c.ShufflePack(ORDER, NONCE), c.DealPack())
    game.discard_all()
    game.do(c.TurnStarter())
    assert not proofs_of([*turns_of(game), (e.GameWon(0),)], is_past=False)
    game.play_all()
    assert not proofs_of(turns_of(game), is_past=False)  # the game goes on
    (proof,) = proofs_of([*turns_of(game), (e.GameWon(0),)], is_past=False)
    assert proof.holds


def test_another_order_of_the_cards_is_found(two_deals: DealtGame) -> None:
    def swap(event: e.Event) -> e.Event:
        if not isinstance(event, e.PackShuffled):
            return event
        return replace(event, order=(event.order[1], event.order[0], *event.order[2:]))

    (proof,) = proofs_of(changed(turns_of(two_deals), swap), is_past=False)
    assert not proof.is_kept and not proof.is_followed


def test_another_card_in_a_hand_is_found(two_deals: DealtGame) -> None:
    def better(event: e.Event) -> e.Event:
        if not isinstance(event, e.HandDealt) or event.seat != Seat(1):
            return event
        return replace(event, cards=(ORDER[40], *event.cards[1:]))

    (proof,) = proofs_of(changed(turns_of(two_deals), better), is_past=False)
    assert proof.is_kept and not proof.is_followed


@pytest.fixture
def folder(tmp_path: Path, two_deals: DealtGame) -> Path:
    journal = Journal.open(tmp_path / "journal.sqlite3")
    for turn in turns_of(two_deals):
        journal.append(turn)
    journal.close()
    return tmp_path


def run(folder: Path, *arguments: str) -> str:
    answer = CliRunner().invoke(command, ["deal", *arguments, "--state-folder", str(folder)])
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def test_command_checks_each_deal_and_prints_a_proof_for_sha256sum(folder: Path) -> None:
    commitment = json.loads(run(folder, "1", "--json"))["commitment"]
    assert run(folder) == f"deal 1: {commitment}  as committed\n"
    assert sha256(run(folder, "1", "--proof", "1").encode()).hexdigest() == commitment


def test_command_prints_no_proof_of_a_deal_that_is_on(folder: Path) -> None:
    answer = CliRunner().invoke(command, ["deal", "--proof", "2", "--state-folder", str(folder)])
    assert answer.exit_code == 1 and str(PACK[5]) not in answer.output
