"""The options of the rules: every house rule as a choice, with a sentence that says what it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Self

from msgspec import Struct

from firmware_host.cribbage.rule_errors import UnknownChoice, did_you_mean, quoted


class Choice(Enum):
    """One value of an option, with the text that names it and its sentence. The first of each class is the default."""

    _value_: str
    sentence: str

    def __new__(cls, value: str, sentence: str) -> Self:
        choice = object.__new__(cls)
        choice._value_ = value
        choice.sentence = sentence
        return choice


class Direction(Choice):
    """Seats count clockwise in either case; only the order of deal and turn changes."""

    CLOCKWISE = "clockwise", "To the left (clockwise)."
    COUNTERCLOCKWISE = "counterclockwise", "To the right (counterclockwise)."


class FirstDealer(Choice):
    """Applied to the cut by `dealer.first_dealer`."""

    LOWEST = "lowest", "The lowest card cut; cut again if equal."
    HIGHEST = "highest", "The highest card cut; cut again if equal."
    MANUAL = "manual", "The players choose."


class NextGameDealer(Choice):
    """Applied by `dealer.next_games_dealer`."""

    LOSER = "loser", "The loser deals."
    WINNER = "winner", "The winner deals."
    ALTERNATE = "alternate", "The deal passes to the next seat."


class ThreeForLast(Choice):
    """The pone, who has no crib, gets three points; a rule of five-card cribbage (Hoyle)."""

    OFF = "off", "Nobody gets them."
    ONCE = "once", "Once, at the start of the game."
    EVERY_DEAL = "every_deal", "Before each deal."


class PlayExtent(Choice):
    """Five-card cribbage plays one series, the other variants play all cards."""

    ALL_CARDS = "all_cards", "All cards; the count starts again at 0 after 31, or when nobody can play."
    ONE_SERIES = "one_series", "Only to the first 31, or until nobody can play; the other cards are shown, not played."


class MustPlay(Choice):
    """Whether a seat that can play may say go (`Play.may_go`)."""

    ALWAYS = "always", "Who can play must play."
    AFTER_GO_OPTIONAL = "after_go_optional", "After an opponent’s go, a player may pass."


class GoPoints(Choice):
    """Points for a go and for the last card. A series of thirty-one scores two for that, and nothing for last."""

    LAST_CARD = "last_card", "One point for the last card below 31."
    PER_PASS = "per_pass", "Each go gives every opponent a point; the last card one more."
    PER_CARD_AFTER_GO = (
        "per_card_after_go",
        "After an opponent’s go, each card below 31 scores one; no point for the last card then.",
    )


class GoThreePlus(Choice):
    """With two players both values are the same."""

    CONTINUE = "continue", "All others, while they can."
    STOP = "stop", "Nobody after two goes in a row, even if a third player could."


class CribFlush(Choice):
    """Modern rules (ACC) want five; some old books count four."""

    FIVE_ONLY = "five_only", "Five: all of the crib and the starter."
    FOUR_OK = "four_ok", "Four are enough."


class PlayFlush(Choice):
    """Not scored by ACC rules. A card of unknown suit ends the flush."""

    OFF = "off", "It scores nothing."
    THREE_UP = "three_up", "Three cards of a suit in a row score 3, a fourth 4, and so on."


class Heels(Choice):
    """The deadline to peg two for a jack as starter; muggins can never take it (ACC rule 10.2)."""

    CLAIMABLE = "claimable", "Until the show."
    FORFEIT = "forfeit", "Until the dealer plays a card (ACC)."


class MugginsMode(Choice):
    """Who gets points that their owner misses; see game/muggins.py."""

    OFF = "off", "Off: no reminder; missed points can be pegged until the next deal."
    COACH = "coach", "Remind: the board points them out, and they can still be pegged."
    CLAIM = "claim", "Claim: the opponent who names the number takes them."
    AUTOMATIC = "automatic", "Automatic: the opponent gets them."


class MugginsScope(Choice):
    """Muggins never takes anything but points of the play and the show (ACC rule 10.2)."""

    BOTH = "both", "In the play and in the show."
    SHOW = "show", "In the show only."


class MugginsWindow(Choice):
    """When claims on points of the play end; see ACC rule 10.4 and game/dues.py."""

    ACC = "acc", "Until later points are pegged (ACC)."
    NEXT_CARD = "next_card", "In the play, until the claimer’s next card."


class FalseClaim(Choice):
    """A claim of points that nobody missed (ACC rule 10.2)."""

    PENALTY = "penalty", "The claimed points go to the other player (ACC)."
    NONE = "none", "Nothing."


class PegPolicy(Choice):
    """A move of too few or too many holes (ACC rules 8.3 and 8.4)."""

    CORRECT = "correct", "It is corrected."
    ACC = "acc", "A short move is kept; points moved too far go to the opponent (ACC)."


class Renege(Choice):
    """A go by a seat that could play, found at once or when its cards are seen."""

    CORRECT = "correct", "The card is played, with no penalty."
    ACC = "acc", "Two points to the opponent for each card that could be played (ACC)."
    TWO_FLAT = "two_flat", "Two points to the opponent, however many cards."


class FrontPegRemoved(Choice):
    """The front peg is out of its hole and the back peg is in; by Hoyle it goes behind."""

    RESTORE = "restore", "It goes back to its hole."
    BECOMES_REAR = "becomes_rear", "It goes behind the other peg, and those points are lost."


class ForeignPeg(Choice):
    """A player moved a peg of another side."""

    RESTORE = "restore", "It goes back."
    PENALTY = "penalty", "Two points to its owner."


class MatchPoints(Choice):
    """The points are in `rules.MATCH_POINTS`; skunks are decided by `skunk_lines`."""

    ACC = "acc", "2 for a win, 3 for a skunk (ACC)."
    GAMES = "games", "1 for a win, 2 for a skunk, 3 for a double skunk."


class Stinkhole(Choice):
    """The stinkhole is the hole before the game hole. The sources differ in what cannot win from there."""

    OFF = "off", "Any point can win."
    HEELS_AND_GO = "heels_and_go", "From the hole before the last, his heels and a go do not score."
    HEELS = "heels", "From the hole before the last, his heels do not score."
    SHOW_ONLY = "show_only", "From the hole before the last, only the show scores."


class GoLimit(Choice):
    """The point for a go or the last card, near the end of a game to 121."""

    NONE = "none", "At every score."
    TO_115 = "115", "Only at a score of 115 or less."


class Misdeal(Choice):
    """Too many or too few cards dealt. A card that was exposed never has a penalty."""

    REDEAL = "redeal", "The same dealer deals again."
    TWO_POINTS = "two_points", "Two points to the opponent; the same dealer deals again."


class AuctionDebt(Choice):
    """A debt is `Table.rightful` below zero; the score shown is 0."""

    LIMIT = "limit", "Not allowed."
    DEBT = "debt", "Allowed; the rest is a debt."


class AuctionHeels(Choice):
    """Only for the auction game; elsewhere the owner of the crib is the dealer."""

    DEALER = "dealer", "The dealer."
    OWNER = "owner", "The owner of the crib."


class AuctionWhen(Choice):
    """Bids follow the discards in either case."""

    BEFORE_STARTER = "before_starter", "Before the starter is cut."
    AFTER_STARTER = "after_starter", "After the starter is cut."


class Seating(Choice):
    """Names for common sides; the option `sides` also takes lists of seats."""

    SINGLE = "single", "Each player alone."
    TWO_SIDES = "two_sides", "Two teams, seated alternately."
    THREE_SIDES = "three_sides", "Three teams of two, partners opposite."


class Skunks(Choice):
    """Names for common skunk lines; the option `skunk_lines` also takes a list of scores."""

    STANDARD = "standard", "Below 91 and 61 in a game to 121, 31 to 61, 91 to 181."
    NONE = "none", "No skunks."


class Option(Struct, frozen=True):
    """One option: its name in settings, the RuleSet field that it sets, and its values by the text that names them."""

    name: str
    sentence: str
    values: Mapping[str, object]
    field: str
    read_other: Callable[[object], object] | None = None
    """Reads values other than the named ones (lists); returns None for what it cannot read."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The texts that name the values, the default first."""
        return tuple(self.values)

    @property
    def default(self) -> str:
        """The default of most variants; some have another one."""
        return self.choices[0]

    def read(self, value: object) -> object:
        """The typed value of a text, number, truth value or list. Raises UnknownChoice."""
        text = _as_text(value)
        if text in self.values:
            return self.values[text]
        read = self.read_other(value) if self.read_other else None
        if read is None:
            meant = did_you_mean(value, self.choices)
            raise UnknownChoice(f"one of {', '.join(self.choices)}", quoted(value), f"option {self.name}", meant)
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


def _choice_option(name: str, family: type[Choice], sentence: str, field: str = "") -> Option:
    return Option(name, sentence, {choice.value: choice for choice in family}, field or name)


def _number_option(name: str, numbers: tuple[int, ...], sentence: str) -> Option:
    return Option(name, sentence, {str(number): number for number in numbers}, name)


def _switch_option(name: str, sentence: str) -> Option:
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
    _number_option("target", (121, 61, 181), "The score that ends the game."),
    _number_option("players", (2, 3, 4, 5, 6), "Number of players. Only the auction game gives a choice, two to four."),
    Option("sides", "Teams: who shares a score.", {c.value: c for c in Seating}, "sides", _read_sides),
    _choice_option("direction", Direction, "Direction of play."),
    _choice_option("first_dealer", FirstDealer, "First dealer."),
    _choice_option("next_game_dealer", NextGameDealer, "First dealer of the next game."),
    _choice_option("three_for_last", ThreeForLast, "Three points for not dealing."),
    _choice_option("play_extent", PlayExtent, "How much is played."),
    _choice_option("must_play", MustPlay, "After a go: must play, or may pass."),
    _choice_option("go_points", GoPoints, "Points for go and last card."),
    _choice_option("go_three_plus", GoThreePlus, "Three or more players: who plays on after a go."),
    _choice_option("go_limit", GoLimit, "Up to which score a go counts."),
    _choice_option("crib_flush", CribFlush, "Flush in the crib: five cards, or four."),
    _choice_option("play_flush", PlayFlush, "Flush in the play."),
    _choice_option("heels", Heels, "His heels: how long it can be pegged."),
    _choice_option("stinkhole", Stinkhole, "One hole before the end: what still scores."),
    _choice_option("misdeal", Misdeal, "Wrong number of cards dealt."),
    _choice_option("muggins_mode", MugginsMode, "Muggins: what happens to missed points."),
    _choice_option("muggins_scope", MugginsScope, "Muggins: everywhere, or in the show only."),
    _choice_option("muggins_window", MugginsWindow, "Muggins: how long it can be claimed."),
    _choice_option("false_claim", FalseClaim, "What a wrong claim costs."),
    _choice_option("pegging_policy", PegPolicy, "Wrong peg move: correct it, or penalty.", field="peg_policy"),
    _choice_option("renege", Renege, "False go: correct it, or penalty."),
    _choice_option("front_peg_removed", FrontPegRemoved, "Front peg taken out: put it back, or lose the points."),
    _choice_option("foreign_peg", ForeignPeg, "Other player’s peg moved: put it back, or penalty."),
    Option(
        "skunk_lines",
        "Skunk: below which score.",
        {c.value: c for c in Skunks},
        "skunk_lines",
        _read_lines,
    ),
    _choice_option("match_points", MatchPoints, "Match points for a game."),
    _choice_option("auction_debt", AuctionDebt, "Bids above the bidder’s score."),
    _choice_option("auction_heels", AuctionHeels, "Who gets his heels when the crib is sold."),
    _choice_option("auction_when", AuctionWhen, "When the crib is sold."),
    _switch_option("lowball", "Lowball: who reaches the target first loses."),
    _switch_option("captain", "Captain: two players share a score and go to 121, against one who goes to 61."),
)
"""Every option, in the order in which menus and RULES.md show them."""
