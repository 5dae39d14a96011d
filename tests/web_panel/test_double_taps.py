"""A button that is tapped twice, or on two phones at once, does nothing twice: its second request is refused.

What a request is about, a deal, a seat or a hand, stands in its body. Where that cannot be the page sends the number of
the moment with it: those commands are listed in `connection.js`. Cards are typed faster than the page is drawn, and two
taps may be two cards.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.web_panel.conftest import Rig
from web_panel.api.commands import COMMANDS

CONNECTION = Path(__file__).parents[2] / "web_panel/static/core/connection.js"
MOMENTARY = set(re.findall(r'"([\w-]+)"', re.findall(r"MOMENTARY = new Set\((.*)\)", CONNECTION.read_text())[0]))
TYPED = {"play", "starter"}


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("auction", {"players": 3, "misdeal": "two_points"}),
        ("auction", {}),
        ("three_hand", {"misdeal": "two_points", "muggins_mode": "claim", "renege": "acc"}),
    ],
)
def test_the_second_tap_of_two_is_refused(variant: str, options: dict[str, Any]) -> None:
    rig, random = Rig(), Random(5)
    names, scores = ["Ann", "Ben", "Cat"][: options.get("players", 3 if variant == "three_hand" else 2)], [40] * 3
    rig.command("new-game", variant=variant, names=names, options=options, dealer=0, scores=scores[: len(names)])
    tried = set[str]()
    for _ in range(50):
        actions = [action for action in rig.state()["actions"] if action["command"] not in MOMENTARY | {"new-game"}]
        action = random.choice(actions)
        body = action["body"] | filled(action["input"], random)
        first = rig.post(f"/commands/{action['command']}", body)
        turns = rig.state()["moment"]
        if first.status_code != 200 or action["command"] in TYPED:
            continue
        tried.add(action["command"])
        rig.post(f"/commands/{action['command']}", body)
        assert rig.state()["moment"] == turns, (action["label"], body)
    assert {"next-deal", "bid" if variant == "auction" else "count"} <= tried
    rig.host.stop()


def filled(asked: dict[str, Any] | None, random: Random) -> dict[str, Any]:
    """What a person types where the action asks for something."""
    if asked is None:
        return {}
    if asked["kind"] == "points":
        return {"points": asked["minimum"]}
    return {"card": random.choice("A23456789TJQK")} if asked["size"] == 1 else {}


def test_commands_that_carry_a_moment_exist() -> None:
    assert set(COMMANDS) >= MOMENTARY >= {"claim", "undo", "redo", "penalty"}
