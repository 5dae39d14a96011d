"""Whole games against the program by HTTP alone: everything that a page does, and nothing that it cannot see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from firmware_host.cribbage.cards import PACK, Card, parse_cards
from firmware_host.cribbage.levels import Level
from firmware_host.cribbage.rules import Seat
from firmware_host.game.state import Phase
from firmware_host.host.loop import Host
from firmware_host.host.snapshot import Snapshot
from firmware_host.opponent.player import Opponent
from firmware_host.pairing.registry import Role
from firmware_host.ui.keys.input_state import UserCommand
from firmware_host.ui.texts.messages import with_suit_symbol
from tests.web_panel.conftest import API, PhoneClient, Rig, json_of

PROGRAM = Seat(1)
ENOUGH = 4000
FEWEST_MOVES = 12
"""Of the pegs of each side in a game to 121: few moves are of ten points and more."""
SEEN = ("/me", "/me/hand/0")
"""What the page of the person reads during a game, beside the state."""


class SteppedByTest:
    """The host of a rig for the program's player: whoever waits for it makes its steps."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rig.host, name)

    def submit(self, command: UserCommand, moment: int | None = None) -> Snapshot:
        self._rig.host.execute(command, moment)
        self._rig.host.step()
        return self._rig.host.snapshot

    def wait_for_change(self, version: int, timeout_s: float) -> Snapshot:
        end_s = self._rig.now_s + timeout_s
        while self._rig.host.snapshot.version <= version and self._rig.now_s < end_s:
            self._rig.wait(0.02)
        return self._rig.host.snapshot


class Browser:
    """Does what the page offers, with the first card that may be played. Every request has to be accepted."""

    def __init__(self, rig: Rig, level: Level, seed: int) -> None:
        self.rig = rig
        packs = Random(seed)
        rig.host._parts.game._dealer._shuffled_pack = lambda: tuple(packs.sample(PACK, len(PACK)))
        rig.begin(is_dealt=True, levels=[None, level.value], dealer=None, board="continuous-121-2")
        host = cast(Host, SteppedByTest(rig))
        self.opponent = Opponent(host, Random(seed), wait=self.pass_time, clock=lambda: rig.now_s)
        self.pegs = set[tuple[int, ...]]()
        """Where the front pegs of both sides were drawn."""

    def pass_time(self, seconds: float) -> bool:
        self.rig.wait(seconds)
        return False

    def play(self) -> Any:
        """The state at the end."""
        for _ in range(ENOUGH):
            self.opponent.act(self.rig.host.snapshot)
            self.rig.wait(0.02)
            state = self.look()
            if state["game"]["phase"] == "over":
                return state
            self.act(state)
        raise AssertionError(f"no end: {state['guidance']}")

    def look(self) -> Any:
        """The state; no answer has a card that the program holds or gave to the crib."""
        state = self.rig.state()
        others = [json_of(self.rig.get(API + path)) for path in SEEN]
        said = str([state | {"log": None}, *others])  # the log has cards of earlier deals
        for hidden in self.hidden():
            assert f"'{hidden}'" not in said and with_suit_symbol(hidden) not in said
        front = [peg["sensor"] for peg in state["pegs"] if peg["position"] == "front"]
        self.pegs.add(tuple(front))
        return state

    def hidden(self) -> Iterator[Card]:
        table = self.rig.host.snapshot.table
        deal = table.deal if table else None
        if table is None or deal is None or table.phase not in (Phase.DEAL, Phase.PLAY):
            return
        yield from deal.in_hand(PROGRAM) if deal.kept[PROGRAM] else deal.dealt[PROGRAM]
        yield from deal.discarded[PROGRAM]

    def act(self, state: Any) -> None:
        if (peg := state["guidance"]["peg"]) and peg["side"] == 0:
            self.move(peg["from_sensor"], peg["to_sensor"])
            return
        if any(side["owed"] for side in state["sides"]):
            return
        for action in state["actions"]:
            if action["is_next"] and action["command"] in ("deal-cards", "turn-starter", "next-deal"):
                self.rig.command(action["command"], **action["body"])
                return
            if action["command"] == "count" and action["body"]["seat"] == 0:
                self.rig.command("count", **action["body"])
                return
        answer = self.rig.get(f"{API}/me/hand/0")
        if answer.status_code == 200:
            self.use_hand(json_of(answer))

    def move(self, origin: int, goal: int) -> None:
        for movement, sensor in (("lift", origin), ("place", goal)):
            assert self.rig.post(f"/pegs/{movement}", {"sensor": sensor}).status_code == 204
            self.rig.wait(0.6)

    def use_hand(self, hand: Any) -> None:
        if hand["phase"] == "deal" and hand["dealt"] and not hand["kept"]:
            self.rig.command("discard", seat=0, cards=hand["dealt"][: hand["to_discard"]])
        elif hand["is_to_play"] and hand["playable"]:
            self.rig.command("play", seat=0, card=hand["playable"][0])
        elif hand["is_to_play"]:
            self.rig.command("go", seat=0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("level", Level)
def test_a_whole_game_is_played_by_http(rig: Rig, level: Level, seed: int) -> None:
    browser = Browser(rig, level, seed)
    end = browser.play()
    scores = [side["score"] for side in end["sides"]]
    assert max(scores) == 121 and min(scores) < 121
    table = rig.host.snapshot.table
    assert table is not None and table.fronts == tuple(scores)
    for side in (0, 1):
        assert len({fronts[side] for fronts in browser.pegs}) >= FEWEST_MOVES
    print(f"{level.value}: {scores}, {len(browser.pegs)} positions of the pegs")


class Reader:
    """A card reader that reads the tags in `left`, one a moment."""

    def __init__(self) -> None:
        self.left = list[str]()

    def tags(self) -> Sequence[str]:
        return [self.left.pop(0)] if self.left else ()


ROW = ("5H", "TD", "3S", "KC", "8S", "8D")


def test_a_hand_that_was_read_face_down_is_in_no_answer(rig: Rig) -> None:
    reader = Reader()
    rig.host._use_setup(replace(rig.host.setup, card_reader=reader))
    phone = PhoneClient(rig).pair("Wim", Role.PLAYER)
    rig.begin(levels=[None, "club"])
    reader.left = [*ROW]
    rig.wait(0.05)
    assert "Read: " in str(rig.state()["guidance"])
    rig.wait(0.5)
    table = rig.host.snapshot.table
    assert table is not None and table.deal is not None and table.deal.dealt[PROGRAM] == parse_cards(" ".join(ROW))
    assert json_of(phone.post("/me/seat", {"seat": 1}))["kind"] == "seat_taken"
    assert json_of(phone.send("deal", seat=1, cards=list(ROW)))["kind"] == "not_for_people"
    paths = ("/state", "/me", "/me/hand", "/me/hand/1", "/games/current/replay", "/me/advice")
    answers = [client(f"{API}{path}").text for path in paths for client in (rig.get, phone.client.get)]
    answers += [rig.get(path).text for path in ("/", "/review", "/history", "/new-game", "/deals/1")]
    for card in parse_cards(" ".join(ROW)):
        assert not any(f'"{card}"' in text or with_suit_symbol(card) in text for text in answers)
