"""Journals of earlier versions: events that contain what was removed since."""

from __future__ import annotations

import json

import pytest

from firmware_host.cribbage.variants import VARIANTS
from firmware_host.game.events import GameStarted
from firmware_host.storage.event_codec import CodecError, decode, encode


def game_started(options: dict[str, object]) -> str:
    """The JSON body of the first event of a game with these options."""
    _, _, body = encode(GameStarted(VARIANTS["six_card"], ("Ann", "Ben"), "classic-61", 2, False, (0, 0), False))
    fields = json.loads(body)
    return json.dumps(fields | {"rules": {"variant": "six_card", "options": options}})


@pytest.mark.parametrize("value", ["same", "opposite"])
def test_a_journal_event_with_the_removed_start_ends_option_decodes(value: str) -> None:
    event = decode("game_started", 1, game_started({"start_ends": value}))
    assert isinstance(event, GameStarted) and event.rules == VARIANTS["six_card"]
    assert decode(*encode(event)) == event


@pytest.mark.parametrize("options", [{"never_an_option": "on"}, {"target": "62"}, ["start_ends"]])
def test_a_journal_event_with_any_other_unknown_option_is_an_error(options: object) -> None:
    body = json.loads(game_started({})) | {"rules": {"variant": "six_card", "options": options}}
    with pytest.raises(CodecError):
        decode("game_started", 1, json.dumps(body))
