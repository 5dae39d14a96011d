"""A script: what people did in one game, as lines of text that can be replayed on the model and on the program.

game six_card known dealer=1 scores=30,40 pegging_policy=acc     `known`, `played` or `pegs`: the cards entered
deal 0 5H 6H ...    discard 0 5H 6H    stock 5H    bid 0 3    bid 0 pass    starter 5H
misdeal number      misdeal exposed
play 0 5H           go 0               endplay     count      count 5H ...  skip       next
leap 0 4            the rear peg of side 0 lands 4 holes in front of the front peg
slide 0 -2          the front peg of side 0 itself is moved
pegs 0 103 102      front and rear peg of side 0 are put into these holes
claim 0 3           removed 0          foreign 0   accept     undo          redo       correct 0 43
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from tests.paper_rules.cards import cards
from tests.paper_rules.game import PaperGame, Refused
from tests.paper_rules.pegs import Pegs
from tests.paper_rules.systems import rules_of

Line = tuple[str, ...]
"""The words of one line."""


class Setting(Struct, frozen=True):
    """The first line of a script. `knowledge`: the table knows every card (`known`), those that are shown (`played`),
    or none (`pegs`)."""

    system: str
    knowledge: str
    dealer: int
    scores: tuple[int, ...]
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        scores = ",".join(map(str, self.scores))
        options = "".join(f" {name}={value}" for name, value in self.options)
        return f"game {self.system} {self.knowledge} dealer={self.dealer} scores={scores}{options}"

    @staticmethod
    def read(line: str) -> Setting:
        """The inverse of `str`."""
        _, system, knowledge, *pairs = line.split()
        values = dict(pair.split("=", 1) for pair in pairs)
        dealer, scores = int(values.pop("dealer")), tuple(map(int, values.pop("scores").split(",")))
        return Setting(system, knowledge, dealer, scores, tuple(values.items()))

    @property
    def typed_options(self) -> dict[str, Any]:
        """The options with numbers, truth values and lists of seats as such."""
        return {name: _typed(value) for name, value in self.options}

    def paper_game(self) -> PaperGame:
        """The game of this setting by the paper rules."""
        return PaperGame(
            rules_of(self.system, self.typed_options), self.dealer, self.scores, is_known=self.knowledge == "known"
        )


def _typed(value: str) -> Any:
    if "/" in value:
        return [[int(seat) for seat in side.split(",")] for side in value.split("/")]
    return int(value) if value.isdecimal() else {"on": True}.get(value, value)


def read_script(text: str) -> tuple[Setting, list[Line]]:
    """The setting and the lines of a script; `#` begins a comment."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    first, *rest = filter(None, lines)
    return Setting.read(first), [tuple(line.split()) for line in rest]


class PaperTable:
    """The paper game with its past, so that steps can be undone."""

    def __init__(self, setting: Setting) -> None:
        self.game = setting.paper_game()
        self.past: list[PaperGame] = []
        self.undone: list[PaperGame] = []
        self._last_leap: tuple[str, Pegs] | None = None

    def do(self, line: Line) -> str:
        """Does what the line says. Returns the name of the reason if the rules refuse it."""
        before = self.game.copy()
        if self._takes_back_a_leap(line):
            line = ("undo",)
        try:
            if line[0] == "undo":
                self._exchange(self.past, self.undone)
                return ""
            if line[0] == "redo":
                self._exchange(self.undone, self.past)
                return ""
            ACTIONS[line[0]](self.game, *line[1:])
        except Refused as refused:
            self.game = before
            return str(refused)
        self._last_leap = (line[1], before.pegs[int(line[1])]) if line[0] == "leap" else None
        if line[0] not in _MAY_DO_NOTHING or _ledger(before) != _ledger(self.game):
            self.past.append(before)
            self.undone = []
        return ""

    def _takes_back_a_leap(self, line: Line) -> bool:
        """Whether the peg that leapt in the last line goes back to where it came from."""
        if line[0] != "pegs":
            return False
        return self._last_leap == (line[1], Pegs(int(line[2]), int(line[3])))

    def _exchange(self, source: list[PaperGame], sink: list[PaperGame]) -> None:
        if not source:
            raise Refused("nothing_to_undo")
        sink.append(self.game.copy())
        self.game = source.pop()


_MAY_DO_NOTHING = ("claim", "accept")
"""What may change nothing; then there is nothing to undo."""


def _ledger(game: PaperGame) -> object:
    return game.pegs, game.earned, game.dues, game.misses, game.winner


def _bid(game: PaperGame, seat: str, points: str) -> None:
    game.bid(int(seat), None if points == "pass" else int(points))


def _leap(game: PaperGame, side: str, points: str) -> None:
    game.move(int(side), game.pegs[int(side)].leap(int(points), game.target(int(side))))


def _slide(game: PaperGame, side: str, points: str) -> None:
    pegs = game.pegs[int(side)]
    game.move(int(side), pegs.slide(min(int(points), game.target(int(side)) - pegs.front)))


ACTIONS: dict[str, Callable[..., Any]] = {
    "deal": lambda game, seat, *held: game.deal(int(seat), cards(" ".join(held))),
    "discard": lambda game, seat, *away: game.discard(int(seat), cards(" ".join(away))),
    "stock": lambda game, *stock: game.fill_crib(cards(" ".join(stock))),
    "bid": _bid,
    "starter": lambda game, starter: game.cut(cards(starter)[0]),
    "play": lambda game, seat, played: game.card(int(seat), cards(played)[0]),
    "go": lambda game, seat: game.go(int(seat)),
    "endplay": lambda game: game.end_play(),
    "count": lambda game, *shown: game.count(cards(" ".join(shown)) if shown else None),
    "skip": lambda game: game.skip(),
    "misdeal": lambda game, what: game.misdeal(is_exposed=what == "exposed"),
    "next": lambda game: game.next_deal(),
    "leap": _leap,
    "slide": _slide,
    "pegs": lambda game, side, front, rear: game.move(int(side), Pegs(int(front), int(rear))),
    "claim": lambda game, side, points: game.claim(int(side), int(points)),
    "removed": lambda game, side: game.front_peg_removed(int(side)),
    "foreign": lambda game, side, owner: game.foreign_peg_moved(int(side), int(owner)),
    "accept": lambda game: game.accept(),
    "correct": lambda game, side, score: game.correct_score(int(side), int(score)),
}
