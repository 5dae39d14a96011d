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
from tests.web_panel.alone import Alone
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
    """A browser of a person who plays alone. Every request has to be accepted."""

    def __init__(self, rig: Rig, level: Level, seed: int) -> None:
        self.rig = rig
        packs = Random(seed)
        rig.host._parts.game._dealer._shuffled_pack = lambda: tuple(packs.sample(PACK, len(PACK)))
        rig.begin(is_dealt=True, levels=[None, level.value], dealer=None, board="continuous-121-2")
        host = cast(Host, SteppedByTest(rig))
        self.opponent = Opponent(host, Random(seed), wait=self.pass_time, clock=lambda: rig.now_s)
        self.person = Alone(self.ask, self.send, rig.wait)
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
            self.person.act(state)
        raise AssertionError(f"no end: {state['guidance']}")

    def ask(self, path: str) -> Any:
        answer = self.rig.get(API + path)
        return json_of(answer) if answer.status_code == 200 else None

    def send(self, path: str, body: dict[str, object]) -> None:
        answer = self.rig.post(path, body)
        assert answer.status_code < 300, answer.text

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
    assert 'id="read-cards"' not in rig.get("/new-game").text
    reader = Reader()
    rig.host._use_setup(replace(rig.host.setup, card_reader=reader))
    phone = PhoneClient(rig).pair("Wim", Role.PLAYER)
    assert 'id="read-cards"' in rig.get("/new-game").text
    rig.begin(levels=[None, "club"])
    reader.left = [*ROW]
    rig.wait(0.05)
    guide = rig.state()["guidance"]
    assert guide["headline"].startswith("Read: ") and "Nobody looks" in guide["detail"]
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


def test_a_finished_game_links_to_the_proof_of_its_packs(rig: Rig) -> None:
    for is_dealt in (False, True):
        rig.begin(is_dealt=is_dealt, levels=[None, "club"] if is_dealt else None)
        rig.command("correct", side=0, score=121, reason="home")
        game = rig.journal.last_game
        for page, link in (("/review", "/deals/current"), (f"/history/{game}", f"/deals/{game}")):
            assert (f'href="{link}"' in rig.get(page).text) is is_dealt
        assert rig.get(f"/deals/{game}").status_code == 200
    assert 'class="button second proofs" href="/deals/current" hidden' in rig.get("/").text
