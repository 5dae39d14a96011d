"""The payloads: they fulfil their schemas, and no hidden card, pairing code or token is in any of them."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from random import Random

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from firmware_host.cribbage.cards import PACK, Card, parse_card
from firmware_host.cribbage.rule_errors import Refusal
from firmware_host.cribbage.rules import RuleSet, Seat
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import commands as c
from firmware_host.game.events import ClubGame, ClubGameBegan, PointsMissed, ResultConfirmed
from firmware_host.game.history import History
from firmware_host.game.state import Table
from firmware_host.host.loop import Host
from firmware_host.mqtt_messages.board import MugginsMissed, TwentyNine
from firmware_host.mqtt_messages.reading import as_payload
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.event_finder import EventFinder
from firmware_host.telemetry.payloads import game_message
from firmware_host.telemetry.results import result_of
from firmware_host.ui.pairing_prompt import AcceptPhone, OpenPairing
from firmware_host.ui.referee_mode import RefereeMode
from tests.game.random_player import GAMES, RandomPlayer, play_game
from tests.telemetry.conftest import START
from tests.telemetry.mosquitto import Mosquitto, Observer, needs_mosquitto
from tests.telemetry.schemas import check
from tests.telemetry.test_telemetry import published

CARD = re.compile(r"\b[A2-9TJQK][SHDC]\b|\b10[SHDC]\b|[♠♥♦♣]")
MODE, SLOW = RefereeMode.TEACHER, pytest.mark.slow


def with_other_hidden_cards(table: Table, random: Random) -> Table:
    """The same table for everybody at it, with other cards in the hands, the crib and the stock."""
    deal = table.deal
    if deal is None:
        return table
    hidden = [card for card in PACK if card not in deal.face_up]
    swap = dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))

    def swapped(hands: tuple[tuple[Card, ...], ...]) -> tuple[tuple[Card, ...], ...]:
        return tuple(tuple(swap.get(card, card) for card in hand) for hand in hands)

    return replace(
        table,
        deal=replace(
            deal,
            dealt=swapped(deal.dealt),
            discarded=swapped(deal.discarded),
            kept=swapped(deal.kept),
            stock=swapped((deal.stock,))[0],
        ),
    )


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name == "six_card" else SLOW) for name in GAMES])
def test_no_payload_of_a_random_game_depends_on_a_hidden_card(name: str) -> None:
    random, moments = Random(7), EventFinder()
    moments.new_events(History(), MODE)
    for history in play_game(GAMES[name], seed=11):
        table = history.table
        assert table
        payload = game_message(table, MODE)
        check("state", to_builtins(payload))
        shown = {str(table.deal.starter)} if table.deal and table.deal.starter else set()
        events = [as_payload(moment) for moment in moments.new_events(history, MODE)]
        assert set(CARD.findall(as_payload(payload))) == shown and not CARD.findall("".join(events))
        for text in events:
            check("event", json.loads(text))
        assert game_message(with_other_hidden_cards(table, random), MODE) == payload
    assert '"event_type":"game_won"' in events[-1] or any('"game_won"' in text for text in events)


@pytest.mark.parametrize("name", ["six_card", pytest.param("five_card", marks=SLOW)])
def test_a_result_and_its_confirmations_depend_on_no_card(name: str) -> None:
    """The same payload without any row that has a card. Results are made of the journal, which has all of them."""
    journal = Journal.in_memory()
    history, *_, last = play_game(GAMES[name], seed=11)
    turns = [turn.events for turn in last.turns_back()][::-1]
    journal.append((turns[0][0], ClubGameBegan(ClubGame(1, 2, 3)), *turns[0][1:]))
    for events in (*turns[1:], (ResultConfirmed(1),), (ResultConfirmed(0),)):
        journal.append(events)
    (summary,) = journal.games(1)
    rows = journal.rows_of(1)
    without_cards = [row._replace(body="{}") if CARD.search(row.body) else row for row in rows]
    assert history.table and without_cards != [*rows]
    result = result_of(rows, summary, "table-3")
    assert result and result == result_of(without_cards, summary, "table-3") and not CARD.search(result.payload)
    check("result", json.loads(result.payload))
    assert json.loads(result.payload)["confirmed"] == [1, 0]
    journal.close()


@needs_mosquitto
def test_everything_a_broker_gets_of_a_game_has_only_starters(
    host: Host, broker: Mosquitto, observer: Observer
) -> None:
    host.submit(OpenPairing())
    code = host.snapshot.pairing_state.code
    secret = host.pairing.request_pairing("Pixel", code)
    host.submit(AcceptPhone())
    paired = host.pairing.collect_token(secret)
    assert paired
    player, starters = RandomPlayer(5), set[str]()
    with published(host, broker.port):
        observer.wait_for("/state")
        host.submit(START)
        for _ in range(60):
            table = host.snapshot.table
            assert table
            with suppress(Refusal):
                host.submit(player.next_command(table))
            if table.deal and table.deal.starter:
                starters.add(str(table.deal.starter))
        host.submit(c.StartGame(rules_for("five_card", {}), ("Last", "One"), "classic-61", dealer=Seat(0)))
        observer.wait_for("/state", lambda state: state["sides"] and state["sides"][0]["name"] == "Last")
    texts = [f"{topic} {text}" for topic, text, _ in observer.seen]
    assert len(starters) > 1 and len(texts) > 10
    found = {card for text in texts for card in CARD.findall(text)}
    assert found <= starters
    assert not any(word in text for text in texts for word in (code, secret, paired[1], "Pixel", "/tmp", "journal"))


def game(rules: RuleSet, *commands: c.Command) -> History:
    history = History()
    for command in (c.StartGame(rules, ("Ann", "Ben"), points_are_entered=True, dealer=Seat(0)), *commands):
        history = history.after(history.decide(command))
    return history


TWENTY_NINE = (
    c.CutStarter(parse_card("5C")),
    c.EndPlay(),
    c.CountHand(tuple(map(parse_card, ("5H", "5S", "5D", "JC")))),
)


def test_a_hand_of_twenty_nine_is_announced_once() -> None:
    moments = EventFinder()
    moments.new_events(History(), MODE)
    history = game(rules_for("six_card", {}), *TWENTY_NINE)
    assert moments.new_events(history, MODE) == [TwentyNine(1, "Ben", is_crib=False)]
    assert not moments.new_events(history, MODE)
    undone = history.after(history.decide(c.Undo()))
    assert not moments.new_events(undone.after(undone.decide(c.Redo())), MODE)


def test_what_happened_before_the_start_is_not_announced_again() -> None:
    moments = EventFinder()
    assert not moments.new_events(game(rules_for("six_card", {}), *TWENTY_NINE), MODE)


def test_with_muggins_by_claim_neither_count_nor_miss_is_announced_before_the_claims_end() -> None:
    moments = EventFinder()
    moments.new_events(History(), MODE)
    history = game(rules_for("six_card", {"muggins_mode": "claim"}), *TWENTY_NINE)
    assert not moments.new_events(history, MODE)
    history = history.after(history.decide(c.CountHand(tuple(map(parse_card, ("2H", "4S", "6D", "8C"))))))
    assert any(isinstance(event, PointsMissed) for turn in history.turns_back() for event in turn.events)
    assert not moments.new_events(history, MODE)
    history = history.after(history.decide(c.CountHand(tuple(map(parse_card, ("2D", "4D", "6C", "8D"))))))
    history = history.after(history.decide(c.NextDeal(1)))
    assert MugginsMissed(1, "Ben", 29) in moments.new_events(history, MODE)
