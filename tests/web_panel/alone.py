"""A person who plays against the board by its API: does what the state offers, with the first card that fits."""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from tests.web_panel.pictures import look, post

PRESSED = ("deal-cards", "turn-starter", "next-deal")
"""Commands of the primary button that the person gives."""
GAME: dict[str, object] = {"variant": "six_card", "names": ["Ann", "The board"], "is_dealt": True}
QUICK_S = 0.3
"""The quickest pace of the board."""
NEARLY_OVER: dict[str, object] = {"target": 61, "scores": [50, 48]}
"""A game that takes a deal or two."""
ENOUGH_S = 120.0


class Alone:
    """Plays seat 0. `ask` answers a path under /api/v1, None where it is refused; `send` posts to one; `wait` waits for
    so many seconds."""

    def __init__(
        self,
        ask: Callable[[str], Any],
        send: Callable[[str, dict[str, object]], object],
        wait: Callable[[float], object],
    ) -> None:
        self._ask, self._send, self._wait = ask, send, wait

    def act(self, state: Any) -> None:
        """Does what is the person's to do, if anything is."""
        if (peg := state["guidance"]["peg"]) and peg["side"] == 0:
            for movement, sensor in (("lift", peg["from_sensor"]), ("place", peg["to_sensor"])):
                self._send(f"/pegs/{movement}", {"sensor": sensor})
                self._wait(0.6)
            return
        if any(side["owed"] for side in state["sides"]):
            return  # the program pegs first
        for action in state["actions"]:
            command, body = action["command"], action["body"]
            if (action["is_next"] and command in PRESSED) or (command == "count" and body["seat"] == 0):
                self._send(f"/commands/{command}", body)
                return
        if hand := self._ask("/me/hand/0"):
            self._use(hand)

    def _use(self, hand: Any) -> None:
        if hand["phase"] == "deal" and hand["dealt"] and not hand["kept"]:
            discards = hand["dealt"][: hand["to_discard"]]
            self._send("/commands/discard", {"seat": 0, "cards": discards})
        elif hand["is_to_play"] and hand["playable"]:
            self._send("/commands/play", {"seat": 0, "card": hand["playable"][0]})
        elif hand["is_to_play"]:
            self._send("/commands/go", {"seat": 0})


def play_alone(address: str, is_done: Callable[[Any], object], **game: object) -> None:
    """A game of a program that runs at the address, until `is_done` of its state. `game`: what differs from GAME."""

    def ask(path: str) -> Any:
        try:
            with urlopen(f"{address}api/v1{path}") as answer:
                return json.load(answer)
        except HTTPError:
            return None

    def send(path: str, body: dict[str, object]) -> None:
        try:
            post(address, path.removeprefix("/"), body)
        except HTTPError as refused:
            if refused.code != HTTPStatus.CONFLICT:
                raise  # else the game has gone on since the person looked, who looks again

    person = Alone(ask, send, sleep)
    post(address, "settings", {"changes": {"opponent_pace_s": QUICK_S}})
    post(address, "commands/new-game", GAME | {"levels": [None, "beginner"], "dealer": 0} | game)
    ends_s = monotonic() + ENOUGH_S
    while not is_done(state := look(address)):
        assert monotonic() < ends_s, state["guidance"]
        person.act(state)
        sleep(0.05)


def is_over(state: Any) -> bool:
    """Whether somebody has won."""
    return bool(state["game"]["phase"] == "over")
