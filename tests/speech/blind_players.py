"""Players who hear and feel, and play a whole game to its end: what they do follows from what was said alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from msgspec import Struct, field

from firmware_host.cribbage.cards import PACK, Card, Suit
from firmware_host.cribbage.options import MugginsMode, PegPolicy
from firmware_host.cribbage.series import points_for
from firmware_host.cribbage.show import count_show
from firmware_host.ui.texts.spoken_words import OF_SUIT, number_in_words
from firmware_host.ui.translator import untranslated
from tests.speech.blind_table import NAMES, BlindTable

NUMBER_OF = {number_in_words(number, untranslated): number for number in range(242)} | {"the start": 0}
KEY_OF_SUIT = {Suit.SPADES: "J", Suit.HEARTS: "Q", Suit.DIAMONDS: "K", Suit.CLUBS: "ENTER"}
SUIT_OF_WORDS = {words: suit for suit, words in OF_SUIT.items()}
PATIENCE = 25
"""How often in a row the players may ask for the same prompt before they are stuck."""

MOST_ACTIONS = 2000
"""A game takes some 400."""

_NAME, _NUMBER = r"(?P<name>\w+(?: and \w+)?)", r"(?P<{}>[a-z -]+?)"


def pattern(text: str) -> re.Pattern[str]:
    """A spoken sentence in which {name} is a player and any other placeholder a number."""
    parts = re.split(r"{(\w+)}", text)
    found = "".join(
        re.escape(part) if at % 2 == 0 else _NAME if part == "name" else _NUMBER.format(part)
        for at, part in enumerate(parts)
    )
    return re.compile(rf"(?:^|(?<=[.?!] )){found}", re.IGNORECASE)


class Stuck(AssertionError):
    """The same prompt came again and again, whatever the players did."""


class Mishaps(Struct):
    """How often each thing goes wrong: probabilities."""

    wrong_count: float = 0.0
    bumped: float = 0.0
    wrong_key: float = 0.0
    power_cut: float = 0.0
    plays_on: float = 0.0
    """The next player plays a card before a peg that went too far is back: a tournament has a penalty for it."""
    happened: dict[str, int] = field(default_factory=dict)

    def strike(self, name: str, random: Random) -> bool:
        """Whether it goes wrong now."""
        is_struck: bool = random.random() < getattr(self, name)
        if is_struck:
            self.happened[name] = self.happened.get(name, 0) + 1
        return is_struck


class BlindPlayers:
    """All players of one table: each has a hand of cards, and a track with its two pegs."""

    def __init__(self, table: BlindTable, seed: int, mishaps: Mishaps | None = None) -> None:
        self.table, self.random, self.mishaps = table, Random(seed), mishaps or Mishaps()
        self.rules = table.rules
        self.names = NAMES[: self.rules.players]
        self.target = self.rules.target
        self.course = table.plan.course(self.target)
        self.pack, self.starter, self.count, self.series = list[Card](), PACK[0], 0, list[Card]()
        self.dealer = 0
        self.hands: list[list[Card]] = [[] for _ in self.names]
        self.kept: list[list[Card]] = [[] for _ in self.names]
        self.crib: list[Card] = []
        self.counted: tuple[Card, ...] = ()
        self.counts_alone = self.rules.muggins_mode is MugginsMode.CLAIM
        """With muggins by claim the voice does not say what is due: the players count for themselves."""
        self.earned = list[tuple[int, int]]()
        """Side and points that the players counted and have not pegged yet."""
        self.last_seat = 0
        self.winner = ""
        self._last, self._repeats = "", 0

    # Hearing.

    def play(self) -> str:
        """Plays to the end. Returns what the voice said of the scores. Raises Stuck."""
        for _action in range(MOST_ACTIONS):
            said = self._hear()
            if self.winner and (end := re.search(r"((?:\w+: [a-z -]+\. )+)ENTER: new game\.", said)):
                return end.group(1).strip()
            if self.mishaps.strike("power_cut", self.random):
                self.table.switch_on()
                continue
            if self.earned:
                self._peg_points(*self.earned.pop(0))
            else:
                self._answer(said)
        raise Stuck(f"no end after {MOST_ACTIONS} actions: {self.table.heard[-12:]}")

    def _hear(self) -> str:
        """What was said since the last action; if nothing was, the players ask for the prompt."""
        texts = self.table.listen()
        if not texts:
            self.table.wait(1.0)
            texts = self.table.listen()
        for text in texts:
            self._follow(text)
        if texts and self._is_prompt(texts[-1]):
            self._last, self._repeats = texts[-1], 0
            return texts[-1]
        self.table.wait(0.5)
        self.table.listen()
        self.table.ask("J")
        said = " ".join(self.table.listen())
        self._repeats = self._repeats + 1 if said == self._last else 0
        self._last = said
        if self._repeats > PATIENCE:
            raise Stuck(f"{said!r} after {self.table.heard[-12:]}")
        return said

    def _is_prompt(self, text: str) -> bool:
        return any(known.search(text) for known, _answer in PROMPTS)

    def _follow(self, text: str) -> None:
        """The dealer, the count and the winner, as they are said."""
        for name in re.findall(r"(\w+) deals\.", text):
            self._deal(self.names.index(name))
        counted = re.search(r"(\w+)’s (hand|crib): an? ", text)
        if counted and self.counts_alone:
            count = count_show(self.counted, self.starter, self.rules, is_crib=counted.group(2) == "crib")
            self._earn(self.names.index(counted.group(1)), count.total)
        if found := re.search(r"(\w+) wins the game!", text):
            self.winner = found.group(1)

    def _earn(self, seat: int, points: int) -> None:
        if self.counts_alone and points:
            self.earned.append((self.rules.side_of(self.rules.seats[seat]), points))

    def _last_card(self) -> bool:
        """Whether the last player has a point for it, which nobody said: the count ends below 31."""
        is_due, self.count, self.series = self.count > 0, 0, []
        if is_due:
            self._earn(self.last_seat, 1)
        return is_due and self.counts_alone

    def _answer(self, said: str) -> None:
        for known, answer in PROMPTS:
            if every := [*known.finditer(said)]:
                answer(self, every[-1])
                return
        raise Stuck(f"no player knows what to do: {said!r}")

    # Cards.

    def _deal(self, dealer: int) -> None:
        self.dealer = dealer
        self.pack = self.random.sample(PACK, len(PACK))
        self.crib = []
        for seat in self.rules.seats:
            dealt = [self.pack.pop() for _ in range(self.rules.cards_dealt(seat, self.rules.seats[dealer]))]
            away = self.rules.cards_discarded(seat, self.rules.seats[dealer])
            self.crib += dealt[:away]
            self.hands[seat], self.kept[seat] = dealt[away:], dealt[away:]
        while len(self.crib) < 4:
            self.crib.append(self.pack.pop())
        self.starter = self.pack.pop()
        self.count, self.series = 0, []

    def _keys_of(self, card: Card) -> str:
        return "10" if card.letter == "T" else card.letter

    def cut(self, found: re.Match[str]) -> None:
        if self.mishaps.strike("wrong_key", self.random):
            self.table.press("UNDO", "FN", "UNDO")  # undo and redo: the deal is announced again, not dealt again
        self.table.press(self._keys_of(self.starter))

    def starter_suit(self, found: re.Match[str]) -> None:
        self.table.press(KEY_OF_SUIT[self._suit_of(self.starter)])

    def _suit_of(self, card: Card) -> Suit:
        assert card.suit
        return card.suit

    def play_card(self, found: re.Match[str]) -> None:
        seat = self.names.index(found["name"])
        if found["what"] == "leads" and self._last_card():
            return
        fitting = [card for card in self.hands[seat] if self.count + card.pips <= 31]
        if not fitting:
            self.table.press("ENTER")
            return
        card = max(fitting, key=lambda card: (points_for((*self.series, card)), self.random.random()))
        if self.mishaps.strike("wrong_key", self.random):
            self.table.press("FN", "7", "UNDO")  # a claim is begun by mistake, and taken back
        self._lay(seat, card)

    def _lay(self, seat: int, card: Card) -> None:
        """Plays a card, and keeps it if nothing says that it is played."""
        before = len(self.table.heard)
        self.table.press(self._keys_of(card))
        if any(f"{self.names[seat]}: a" in text for text in self.table.heard[before:]):
            self.hands[seat].remove(card)
            self.count, self.series, self.last_seat = self.count + card.pips, [*self.series, card], seat
            self._earn(seat, points_for(self.series))
            if self.count == 31:
                self.count, self.series = 0, []

    # The show.

    def count_hand(self, found: re.Match[str]) -> None:
        if found["typed"]:
            self.table.press("UNDO")
            return
        if self._last_card():
            return
        seat = self.names.index(found["name"])
        is_crib = "crib" in found["what"]
        cards = self.crib if is_crib else self.kept[seat]
        self.counted = tuple(cards)
        if found["known"]:
            self.table.press("ENTER")
            return
        for card in cards if is_crib else self.hands[seat]:  # those that were played are known
            self.table.press(self._keys_of(card))

    def flush(self, found: re.Match[str]) -> None:
        self.table.press("ENTER" if len({card.suit for card in self.counted}) == 1 else "10")

    def flush_suit(self, found: re.Match[str]) -> None:
        self.table.press(KEY_OF_SUIT[self._suit_of(self.counted[0])])

    def nobs(self, found: re.Match[str]) -> None:
        suit = SUIT_OF_WORDS[found["suit"]]
        has_jack = any(card.letter == "J" and card.suit is suit for card in self.counted)
        self.table.press("ENTER" if has_jack else "10")

    # Pegs.

    def peg(self, found: re.Match[str]) -> None:
        """The back peg goes past the front one, as many holes as were said."""
        self._peg_points(self._side(found), NUMBER_OF[found["points"]])

    def _peg_points(self, side: int, points: int) -> None:
        if self.mishaps.strike("bumped", self.random):
            self._bump(side)
            if self.counts_alone:
                self.earned.insert(0, (side, points))
            return
        _back, front = self._believed(side)
        goal = front + points
        if self.mishaps.strike("wrong_count", self.random):
            goal = max(front + 1, min(self.target - 1, goal + self.random.choice((-1, 1, 2))))
        self._move_to(side, (front, min(goal, self.target)))

    def front_on(self, found: re.Match[str]) -> None:
        side, score = self._side(found), NUMBER_OF[found["score"]]
        back, _front = self._believed(side)
        self._move_to(side, (back, score))

    def _play_on(self) -> bool:
        """Whether the other of two players had a card to play; the peg is left where it is. In a tournament he then
        gives the penalty."""
        other = 1 - self.last_seat
        fitting = [card for card in self.hands[other] if self.count + card.pips <= 31]
        if not fitting or not self.count or not self.mishaps.strike("plays_on", self.random):
            return False
        self._lay(other, fitting[0])
        if self.rules.peg_policy is PegPolicy.ACC:
            self.table.press("FN", "10")
        return True

    def front_back(self, found: re.Match[str]) -> None:
        if self._play_on():
            return
        side, score = self._side(found), NUMBER_OF[found["score"]]
        back, _front = self._believed(side)
        if found["behind"]:
            back = NUMBER_OF[found["behind"]]
        self._move_to(side, (back, score))

    def to_start(self, found: re.Match[str]) -> None:
        self._move_to(self._side(found), (0, 0))

    def put_right(self, found: re.Match[str]) -> None:
        """Something is wrong with the pegs of a side: the players ask where they belong."""
        self._move_to(self._side(found), self._believed(self._side(found)))

    def accept(self, found: re.Match[str]) -> None:
        self.table.press("ENTER")

    def _side(self, found: re.Match[str]) -> int:
        sides = [" and ".join(self.names[seat] for seat in side) for side in self.rules.sides]
        return sides.index(found["name"])

    def _believed(self, side: int) -> tuple[int, int]:
        """Back and front peg of a side, as the voice says when it is asked."""
        self.table.listen()
        self.table.ask("Q")
        said = " ".join(self.table.listen())
        name = " and ".join(self.names[seat] for seat in self.rules.sides[side])
        if found := re.search(rf"{name}: front peg ([a-z -]+), back peg ([a-z -]+)\.", said):
            return NUMBER_OF[found.group(2)], NUMBER_OF[found.group(1)]
        return 0, 0

    def _move_to(self, side: int, scores: tuple[int, int]) -> None:
        """Feels for the pegs that are in none of these places, and puts them there."""
        back, front = scores
        places = {-1, 0} if front <= 0 else {int(self.course.hole_of(score)) for score in (back, front)}
        if back == 0 and front > 0:
            at_start = self.table.holes(side) & {-1, 0}
            places = {next(iter(at_start), -1), int(self.course.hole_of(front))}
        holes = {hole for hole in self.table.holes(side) if hole != self.course.game_hole or hole in places}
        for hole in sorted(holes - places):
            self.table.lift(side, hole)
        for hole in sorted(places - holes):
            self.table.place(side, hole)
        self.table.wait(0.8)

    def _bump(self, side: int) -> None:
        """A sleeve takes both pegs out; the players wait until the board says so."""
        for hole in sorted(self.table.holes(side) - {self.course.game_hole}):
            self.table.lift(side, hole)
        self.table.wait(6.0)

    # The keys.

    def first_choice(self, found: re.Match[str]) -> None:
        self.table.press("A")

    def enter(self, found: re.Match[str]) -> None:
        self.table.press("ENTER")

    def claim_back(self, found: re.Match[str]) -> None:
        self.table.press("UNDO")


Answer = Callable[[BlindPlayers, re.Match[str]], None]

PROMPTS: tuple[tuple[re.Pattern[str], Answer], ...] = (
    (pattern("Both pegs are out: {name}."), BlindPlayers.put_right),
    (pattern("The front peg is out: {name}."), BlindPlayers.put_right),
    (pattern("A peg is not seen: {name}."), BlindPlayers.put_right),
    (pattern("Three pegs on one track: {name}."), BlindPlayers.put_right),
    (pattern("A peg is in a wrong hole: {name}."), BlindPlayers.put_right),
    (pattern("The pegs do not show the score: {name}."), BlindPlayers.put_right),
    (pattern("{name}: {points} too far, in the game hole."), BlindPlayers.accept),
    (pattern("{name}, put the front peg forward again, {points}, to {score}."), BlindPlayers.front_on),
    (pattern("{name}, both pegs back to the start."), BlindPlayers.to_start),
    (
        re.compile(
            pattern("{name}, front peg back {points}, to {score}.").pattern
            + r"(?: Back peg to (?P<behind>[a-z -]+)\.)?"
        ),
        BlindPlayers.front_back,
    ),
    (pattern("{name}, front peg on by {points}, to {score}."), BlindPlayers.front_on),
    (pattern("{name}, peg {points}, into the game hole."), BlindPlayers.peg),
    (pattern("{name}, peg {points}, to {score}."), BlindPlayers.peg),
    (
        re.compile(r"How many points were missed\?|(?:^|(?<=\. ))[A-Z][a-z-]+\. ENTER confirms\."),
        BlindPlayers.claim_back,
    ),
    (re.compile(r"The starter is .*Which suit\?"), BlindPlayers.starter_suit),
    (re.compile(r"Are all the cards in one suit\?"), BlindPlayers.flush),
    (re.compile(r"Which suit\?"), BlindPlayers.flush_suit),
    (re.compile(r"Is the jack (?P<suit>of \w+) there\?"), BlindPlayers.nobs),
    (re.compile(r"Which (?:game|board)\?|Play to how many\?|Start\?|Who deals first\?"), BlindPlayers.first_choice),
    (re.compile(r"ENTER: yes\. UNDO: no\.|ENTER: next deal without them\."), BlindPlayers.enter),
    (re.compile(r"Starter card\?"), BlindPlayers.cut),
    (
        re.compile(
            r"Count (?P<name>\w+)’s (?P<what>hand|crib)\."
            r"(?P<known> ENTER: its cards are known\.)?(?P<typed> an? [a-z ,]+\.$)?"
        ),
        BlindPlayers.count_hand,
    ),
    (re.compile(r"(?P<name>\w+) (?P<what>leads|to play)\."), BlindPlayers.play_card),
    (re.compile(r"ENTER: (?:next deal|new game)\."), BlindPlayers.enter),
)
"""Prompt -> the answer. The first that is in a text wins: what is wrong comes before what is next."""
