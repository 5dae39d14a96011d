"""The published points of the American Cribbage Congress: `acc_points.toml`, where each figure has its source."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from firmware_host.club.standings import Sums
from firmware_host.club.state import Night


class GrassRoots(Struct, frozen=True, forbid_unknown_fields=True):
    """Which cards of a club night earn Grass Roots points. How many they earn is not known here."""

    source: str
    games: int
    least_game_points: int

    def are_for(self, night: Night) -> bool:
        """Whether the cards of this night can earn any: it has the games of a club night of the ACC."""
        return night.settings.games == self.games

    def is_earned_by(self, sums: Sums) -> bool:
        """Whether such a card has the game points for it."""
        return sums.game_points >= self.least_game_points


class MasterPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """Points for qualifying in a sanctioned event, to each player of the lower half."""

    source: str
    lower_half_main: int
    lower_half_consolation: int


class AccPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    grass_roots: GrassRoots
    master_points: MasterPoints


@cache
def acc_points() -> AccPoints:
    """What the file says."""
    text = files("firmware_host.club_server").joinpath("acc_points.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), AccPoints)


def first_of_lower_half(qualifiers: int) -> int:
    """The seed, from 1, with which the lower half begins. Of an odd number the one in the middle is in neither half:
    the page does not say which."""
    return qualifiers - qualifiers // 2 + 1
