"""The agreements of the table: every house rule as a choice with a sentence that says what it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Self

from firmware_host.cribbage.refusals import UnknownChoice, quoted


class Choice(Enum):
    """One way to play an option; the first of each family is the usual one."""

    _value_: str
    sentence: str

    def __new__(cls, value: str, sentence: str) -> Self:
        choice = object.__new__(cls)
        choice._value_, choice.sentence = value, sentence
        return choice


class Direction(Choice):
    CLOCKWISE = "clockwise", "Deal and turn pass to the left."
    COUNTERCLOCKWISE = "counterclockwise", "Deal and turn pass to the right."


class FirstDealer(Choice):
    LOWEST = "lowest", "The lowest card drawn deals first; equal cards draw again."
    HIGHEST = "highest", "The highest card drawn deals first; equal cards draw again."
    MANUAL = "manual", "The players say who deals first."


class NextGameDealer(Choice):
    LOSER = "loser", "Whoever lost deals the next game."
    WINNER = "winner", "Whoever won deals the next game."
    ALTERNATE = "alternate", "The first deal of the next game passes to the next seat."


class ThreeForLast(Choice):
    OFF = "off", "Nobody is paid for not dealing."
    ONCE = "once", "The first pone of the game starts with three points."
    EVERY_DEAL = "every_deal", "The pone takes three points before each deal."


class PlayExtent(Choice):
    ALL_CARDS = "all_cards", "Series follow one another until every card is played."
    ONE_SERIES = "one_series", "The play ends with the first series; cards left are shown, not played."


class MustPlay(Choice):
    ALWAYS = "always", "Whoever can lay a card must."
    AFTER_GO_OPTIONAL = "after_go_optional", "Once an opponent has gone, a player may pass with a card that fits."


class GoPoints(Choice):
    LAST_CARD = "last_card", "The last card of a series short of thirty-one scores one."
    PER_PASS = "per_pass", "Each go gives one to every opposing side, and the last card one besides."
    PER_CARD_AFTER_GO = (
        "per_card_after_go",
        "Each card after an opponent's go scores one unless it makes thirty-one; no point for last in that series.",
    )


class GoThreePlus(Choice):
    CONTINUE = "continue", "After a go all others lay cards while they can."
    STOP = "stop", "Two goes in a row close the series, even if a third seat could lay a card."


class CribFlush(Choice):
    FIVE_ONLY = "five_only", "A flush in the crib needs all four cards and the starter."
    FOUR_OK = "four_ok", "Four cards of one suit are a flush in the crib too."


class PlayFlush(Choice):
    OFF = "off", "Suits do not matter in the play."
    THREE_UP = "three_up", "The third and each further card of one suit in a row scores the length of the flush."


class Heels(Choice):
    CLAIMABLE = "claimable", "His heels may be pegged until the show begins."
    FORFEIT = "forfeit", "His heels is lost once the dealer has laid a card (ACC)."


class MugginsMode(Choice):
    OFF = "off", "Points not taken are lost, and only remembered."
    COACH = "coach", "Points not taken are pointed out and may still be pegged."
    CLAIM = "claim", "An opponent who says the number takes the points not taken."
    AUTOMATIC = "automatic", "The board gives points not taken to the opponent."


class MugginsScope(Choice):
    BOTH = "both", "Muggins holds in the play and in the show."
    SHOW = "show", "Muggins holds in the show only."


class MugginsWindow(Choice):
    ACC = "acc", "Claims close when a later score is pegged (ACC)."
    NEXT_CARD = "next_card", "Claims in the play close with the claimer's next card."


class FalseClaim(Choice):
    PENALTY = "penalty", "A wrong claim gives the claimed points to the accused (ACC)."
    NONE = "none", "A wrong claim costs nothing."


class PegPolicy(Choice):
    CORRECT = "correct", "A wrong leap is set right."
    ACC = "acc", "A short leap stands; points pegged too many go to the opponent (ACC)."


class Renege(Choice):
    CORRECT = "correct", "A card that should have been laid is laid; nobody is fined."
    ACC = "acc", "The opponent takes two for each card that could have been laid (ACC)."
    TWO_FLAT = "two_flat", "The opponent takes two, however many cards could have been laid."


class FrontPegRemoved(Choice):
    RESTORE = "restore", "A front peg taken out goes back where it stood."
    BECOMES_REAR = "becomes_rear", "A front peg taken out goes behind the other peg, and that score is lost."


class ForeignPeg(Choice):
    RESTORE = "restore", "An opponent's peg that was moved goes back."
    PENALTY = "penalty", "Moving an opponent's peg gives two points to the opponent."


class MatchPoints(Choice):
    ACC = "acc", "Two match points for a win, three for a skunk (ACC)."
    GAMES = "games", "One game for a win, two for a skunk, three for a double skunk."


class AuctionDebt(Choice):
    LIMIT = "limit", "Nobody may bid more than their score."
    DEBT = "debt", "A bid may go beyond the score; the rest is owed."


class AuctionHeels(Choice):
    DEALER = "dealer", "His heels stays with the dealer."
    OWNER = "owner", "His heels goes to the owner of the crib."


class AuctionWhen(Choice):
    BEFORE_STARTER = "before_starter", "The crib is sold before the starter is cut."
    AFTER_STARTER = "after_starter", "The crib is sold when the starter is seen."


class StartEnds(Choice):
    SAME = "same", "All tracks start at the same end of the board."
    OPPOSITE = "opposite", "Every second track starts at the opposite corner."


class Seating(Choice):
    SINGLE = "single", "Each player for himself."
    TWO_SIDES = "two_sides", "Two sides, seated in turn."
    THREE_SIDES = "three_sides", "Three sides of two, partners opposite."


class Skunks(Choice):
    STANDARD = "standard", "The lines that belong to the target: 91 and 61 of 121, 31 of 61, 91 of 181."
    NONE = "none", "A win is a win."


@dataclass(frozen=True, slots=True)
class Option:
    """One agreement: its name in settings, the RuleSet field it sets, and its values by the text that names them."""

    name: str
    sentence: str
    values: Mapping[str, object]
    field: str
    freely: Callable[[object], object] | None = None
    """Reads values beyond the named ones (lists); returns None for what it cannot read."""

    @property
    def choices(self) -> tuple[str, ...]:
        return tuple(self.values)

    @property
    def default(self) -> str:
        """The usual choice; some variants have another of their own."""
        return self.choices[0]

    def read(self, value: object) -> object:
        """The typed value. Raises UnknownChoice."""
        text = _as_text(value)
        if text in self.values:
            return self.values[text]
        read = self.freely(value) if self.freely else None
        if read is None:
            raise UnknownChoice(f"one of {', '.join(self.choices)}", quoted(value), f"option {self.name}")
        return read


def _as_text(value: object) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case Choice():
            return str(value.value)
        case int() | str():
            return str(value).strip()
        case _:
            return ""


def _chosen(name: str, family: type[Choice], sentence: str, field: str = "") -> Option:
    return Option(name, sentence, {choice.value: choice for choice in family}, field or name)


def _numbered(name: str, numbers: tuple[int, ...], sentence: str) -> Option:
    return Option(name, sentence, {str(number): number for number in numbers}, name)


def _switched(name: str, sentence: str) -> Option:
    return Option(name, sentence, {"off": False, "on": True}, name)


def _read_lines(value: object) -> tuple[int, ...] | None:
    """Skunk lines, `[91, 61]` or `"91,61"`."""
    items = value.split(",") if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        return None
    texts = [_as_text(item) for item in items]
    return tuple(map(int, texts)) if texts and all(text.isdecimal() and len(text) <= 3 for text in texts) else None


def _read_sides(value: object) -> tuple[tuple[int, ...], ...] | None:
    """Sides as lists of seats, `[[0, 2], [1, 3]]` or `"0,2/1,3"`."""
    items = value.split("/") if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        return None
    sides = [_read_lines(side) for side in items]
    return tuple(side for side in sides if side) if sides and all(sides) else None


OPTIONS: tuple[Option, ...] = (
    _numbered("target", (121, 61, 181), "The score that ends the game."),
    _numbered("players", (2, 3, 4, 5, 6), "How many play; only the auction game leaves a choice, of two to four."),
    Option("sides", "Who shares a score.", {c.value: c for c in Seating}, "sides", _read_sides),
    _chosen("direction", Direction, "Which way the deal and the turn pass."),
    _chosen("first_dealer", FirstDealer, "Who deals first in the first game."),
    _chosen("next_game_dealer", NextGameDealer, "Who deals first in the next game."),
    _chosen("three_for_last", ThreeForLast, "Whether the pone is paid three for the dealer's crib."),
    _chosen("play_extent", PlayExtent, "When the play of a deal ends."),
    _chosen("must_play", MustPlay, "Whether a card that fits must be laid."),
    _chosen("go_points", GoPoints, "What a go and the last card are worth."),
    _chosen("go_three_plus", GoThreePlus, "Who lays on after a go when three or more play."),
    _chosen("crib_flush", CribFlush, "What a flush in the crib needs."),
    _chosen("play_flush", PlayFlush, "Whether a flush counts in the play."),
    _chosen("heels", Heels, "How long the dealer may peg two for a jack as starter."),
    _chosen("muggins_mode", MugginsMode, "What becomes of points that their owner does not take."),
    _chosen("muggins_scope", MugginsScope, "Where muggins holds."),
    _chosen("muggins_window", MugginsWindow, "How long points not taken may be claimed."),
    _chosen("false_claim", FalseClaim, "What a wrong claim costs."),
    _chosen("pegging_policy", PegPolicy, "What becomes of a leap that is too short or too long.", field="peg_policy"),
    _chosen("renege", Renege, "What a card held back costs."),
    _chosen("front_peg_removed", FrontPegRemoved, "What becomes of a front peg that its owner takes out."),
    _chosen("foreign_peg", ForeignPeg, "What moving an opponent's peg costs."),
    Option(
        "skunk_lines",
        "Below which scores a loser is skunked.",
        {c.value: c for c in Skunks},
        "skunk_lines",
        _read_lines,
    ),
    _chosen("match_points", MatchPoints, "What a won game is worth in a match."),
    _chosen("auction_debt", AuctionDebt, "Whether a bid may be more than the bidder has."),
    _chosen("auction_heels", AuctionHeels, "Who takes two for a jack as starter when the crib was sold."),
    _chosen("auction_when", AuctionWhen, "When the crib is sold."),
    _switched("lowball", "Whoever reaches the target first loses."),
    _switched("captain", "Three hands, two share a score and go to 121 against one who goes to 61."),
    _chosen("start_ends", StartEnds, "Where the tracks start."),
)
"""Every agreement, in the order in which a person should be asked."""
