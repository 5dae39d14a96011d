"""People who play at random and peg carelessly. The next line of a script, chosen from the game on paper alone.

They peg what is due, less, more, or nothing; they slide the front peg instead of leaping; they peg back by mistake, or
into the game hole too early; they claim truly and falsely, say false goes, play cards that are too high, undo and redo.

Some things they never do, because the rules do not say what follows: see `Manners`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec import Struct

from tests.paper_rules.cards import PACK, Card
from tests.paper_rules.game import PaperGame
from tests.paper_rules.points import MISSABLE
from tests.paper_rules.script import Line


class Manners(Struct, frozen=True):
    """How often people do what, as shares from 0 to 1. A careful game has none of it."""

    nothing: float = 0.08
    """Points that are due are not pegged."""
    short: float = 0.10
    """Fewer holes than due. Not just the points of one of several scores: that could be the first of two moves."""
    far: float = 0.05
    """More holes than due."""
    goes_on: float = 0.5
    """Nobody notices a wrong move before another side goes on."""
    false_game: float = 0.02
    """Into the game hole too early."""
    unearned: float = 0.004
    """A move for nothing, at any time from the starter on."""
    back: float = 0.004
    """The front peg of a side that has leapt is moved back, when nothing is due."""
    slide: float = 0.04
    """The front peg is moved instead of the rear one."""
    claim: float = 0.7
    """A claim of what can be claimed: the exact number of one score, or too many if there is no other. Never fewer: may
    the rest be claimed later?"""
    claim_by_peg: float = 0.3
    """Of those claims: by moving the peg, without a word, if nothing else is due to the claimer."""
    false_claim: float = 0.004
    false_go: float = 0.04
    over_31: float = 0.03
    out_of_turn: float = 0.01
    undo: float = 0.01
    foul: float = 0.002
    """A front peg is taken out, or a foreign peg is moved, when nothing is due."""
    misdeal: float = 0.005
    correction: float = 0.002
    """People correct a score, whatever is due."""


FALSE_GO_FROM = 15
"""The count from which somebody may think that he cannot play. A go at 0 may be a late one of the series before."""

CAREFUL = Manners(**dict.fromkeys(Manners.__struct_fields__, 0.0))
CARELESS = Manners()


class People:
    """All players of one game. `knowledge`: which cards they enter, as in a script."""

    def __init__(self, random: Random, knowledge: str, manners: Manners = CARELESS) -> None:
        self._random, self._knowledge, self._manners = random, knowledge, manners
        self._ignored: dict[int, int] = {}
        self._hidden: list[tuple[Card, ...]] = []
        self._away: list[tuple[Card, ...]] = []
        self._stock: list[Card] = []
        self._dealt_for = 0
        self._redo_next = False

    def _happens(self, share: float) -> bool:
        return self._random.random() < share

    def next_line(self, game: PaperGame, *, can_undo: bool) -> Line:
        """What is done next."""
        if self._redo_next:
            self._redo_next = False
            return ("redo",)
        if can_undo and self._happens(self._manners.undo):
            self._redo_next = self._happens(0.6)
            return ("undo",)
        if self._happens(self._manners.correction):
            side = self._random.randrange(len(game.pegs))
            return ("correct", str(side), str(self._corrected(game, side)))
        if game.moved_far and self._happens(self._manners.goes_on):
            line = self._go_on(game)
            if line[0] in ("play", "count", "next"):
                return line
        lines = self._repair(game), self._peg_due(game), self._claim(game), self._misbehave(game)
        for choice in lines:
            for line in choice:
                return line
        return self._go_on(game)

    def _corrected(self, game: PaperGame, side: int) -> int:
        score = game.pegs[side].front + self._random.randint(-10, 10)
        return max(0, min(score, game.target(side)))

    # Pegs.

    def _repair(self, game: PaperGame) -> Iterator[Line]:
        for side in range(len(game.pegs)):
            if game.must_go_back(side):
                proper = game.proper_now(side)
                yield ("pegs", str(side), str(proper.front), str(proper.rear))

    def _peg_due(self, game: PaperGame) -> Iterator[Line]:
        sides = list(range(len(game.pegs)))
        self._random.shuffle(sides)
        if out := [side for side in sides if game.right(side) >= game.target(side)]:
            sides = out if len(out) == 1 else []
        for side in sides:
            due = game.entitled(side)
            has_to = bool(out) and game.phase in ("deal", "bid")
            if due <= 0 or (self._ignored.get(side) == game.right(side) and not has_to):
                continue
            if self._happens(self._manners.nothing) and not has_to:
                self._ignored[side] = game.right(side)
                continue
            yield self._move(game, side, self._holes(game, side, due))

    def _holes(self, game: PaperGame, side: int, due: int) -> int:
        room = game.target(side) - game.pegs[side].front
        if self._happens(self._manners.short) and self._can_be_short(game, side, due):
            if self._happens(self._manners.goes_on):
                self._ignored[side] = game.right(side)
            return self._random.randrange(1, due)
        if self._is_nothing_else_due(game, side):
            if self._happens(self._manners.false_game) and due < room <= 28:
                return room
            if self._happens(self._manners.far) and due + 1 < room:
                return self._random.randint(due + 1, min(room - 1, due + 6))
        return due

    def _is_nothing_else_due(self, game: PaperGame, side: int) -> bool:
        """Whether a wrong move cannot be a hand that is pegged before anybody counts it aloud."""
        if game.phase == "show":
            rest = game.show_order[game.counted :]
            return game.is_known and side not in {game.rules.side_of(showing.seat) for showing in rest}
        return game.is_known and game.phase == "play"

    def _can_be_short(self, game: PaperGame, side: int, due: int) -> bool:
        return (
            self._knowledge != "pegs"
            and due > 1
            and len(game.dues[side]) == 1
            and game.dues[side][0].source in MISSABLE
        )

    def _move(self, game: PaperGame, side: int, holes: int) -> Line:
        kind = "slide" if game.pegs[side].rear and self._happens(self._manners.slide) else "leap"
        return (kind, str(side), str(holes))

    # Claims.

    def _claim(self, game: PaperGame) -> Iterator[Line]:
        is_out = any(game.right(side) >= game.target(side) for side in range(len(game.pegs)))
        if game.rules.muggins_mode != "claim" or is_out:
            return
        for side in range(len(game.pegs)):
            missed = game.claimable(side)
            if len(set(missed)) < len(missed):
                continue  # which of them would be meant?
            if missed and self._ignored.get(-1 - side) != sum(missed):
                if not self._happens(self._manners.claim):
                    self._ignored[-1 - side] = sum(missed)
                elif self._may_claim_by_peg(game, side) and self._happens(self._manners.claim_by_peg):
                    yield ("leap", str(side), str(missed[-1]))
                else:
                    too_many = 0 if len(missed) > 1 else self._random.choice((0, 0, 0, 1, 3))
                    yield ("claim", str(side), str(missed[-1] + too_many))
            elif not missed and len(game.pegs) == 2 and game.phase in ("play", "show"):
                is_in_scope = game.phase == "show" or game.rules.muggins_scope == "both"
                if game.last_mover != 1 - side or game.entitled(1 - side) or not is_in_scope:
                    continue
                if self._happens(self._manners.false_claim):
                    yield ("claim", str(side), str(self._random.randint(1, 4)))

    def _may_claim_by_peg(self, game: PaperGame, side: int) -> bool:
        if game.entitled(side) or game.must_go_back(side):
            return False
        return game.phase == "play" or self._is_nothing_else_due(game, side)

    # Other faults.

    def _misbehave(self, game: PaperGame) -> Iterator[Line]:
        side = self._random.randrange(len(game.pegs))
        pegs = game.pegs[side]
        if not self._is_nothing_else_due(game, side) or game.entitled(side) or game.claimable(side):
            return
        if any(game.right(side) >= game.target(side) for side in range(len(game.pegs))):
            return
        if self._happens(self._manners.unearned) and pegs.front + 9 < game.target(side):
            yield ("leap", str(side), str(self._random.randint(1, 8)))
        if self._happens(self._manners.back) and pegs.rear and pegs.front - pegs.rear > 1:
            holes = self._random.randrange(1, min(9, pegs.front - pegs.rear))
            yield ("slide", str(side), str(-holes))
        if self._happens(self._manners.foul) and pegs.rear:
            owner = self._random.choice([other for other in range(len(game.pegs)) if other != side])
            yield self._random.choice((("removed", str(side)), ("foreign", str(side), str(owner))))

    # The cards.

    def _go_on(self, game: PaperGame) -> Line:
        if self._knowledge == "pegs":
            return self._move_pegs(game)
        if self._dealt_for != game.deals:
            self._shuffle(game)
        match game.phase:
            case "deal":
                return self._deal(game)
            case "bid":
                return self._bid(game)
            case "play":
                return self._play(game)
            case "show":
                return self._count(game)
            case _:
                return ("next",)

    def _move_pegs(self, game: PaperGame) -> Line:
        """Nobody tells the table any card: the pegs alone are the score."""
        side = self._random.randrange(len(game.pegs))
        pegs = game.pegs[side]
        if game.entitled(side) > 0:
            return self._move(game, side, game.entitled(side))
        if self._happens(0.1):
            return ("next",)
        if pegs.front - pegs.rear > 1 and self._happens(0.1):
            return ("slide", str(side), str(-self._random.randrange(1, min(9, pegs.front - pegs.rear))))
        return self._move(game, side, self._random.choice((1, 2, 2, 3, 4, 6, 7, 8, 12, 16, 24)))

    def _shuffle(self, game: PaperGame) -> None:
        self._dealt_for = game.deals
        pack, rules = self._random.sample(PACK, len(PACK)), game.rules
        self._hidden, self._away = [], []
        for seat in range(rules.players):
            place = rules.distance(game.dealer, seat)
            dealt = tuple(pack.pop() for _ in range(rules.dealt[place]))
            self._away.append(dealt[: rules.discarded[place]])
            self._hidden.append(dealt[rules.discarded[place] :])
        self._stock = pack

    def _deal(self, game: PaperGame) -> Line:
        if self._happens(self._manners.misdeal):
            return ("misdeal", self._random.choice(("number", "exposed")))
        if self._knowledge == "known":
            for seat in range(game.rules.players):
                if not game.hands[seat]:
                    return _line("deal", seat, (*self._away[seat], *self._hidden[seat]))
            if game.rules.from_stock and not game.stock:
                return ("stock", *map(str, self._stock[1 : 1 + game.rules.from_stock]))
            for seat in range(game.rules.players):
                if game.discards[seat] is None:
                    return _line("discard", seat, self._away[seat])
        return ("starter", str(self._stock[0]))

    def _bid(self, game: PaperGame) -> Line:
        seat = game.next_bidder()
        least = max((points for _, points in game.bids), default=0) + 1
        most = game.score(game.rules.side_of(seat)) + (6 if game.rules.auction_debt == "debt" else 0)
        if self._happens(0.1):
            return ("bid", str(seat), str(self._random.choice((least - 1, most + 1))))
        if least > most or self._happens(0.4):
            return ("bid", str(seat), "pass")
        return ("bid", str(seat), str(self._random.randint(least, min(most, least + 12))))

    def _play(self, game: PaperGame) -> Line:
        assert game.play and game.turn is not None
        seat, play = game.turn, game.play
        held = self._held(game, seat)
        legal = [card for card in held if play.count + card.pips <= 31]
        too_high = [card for card in held if play.count + card.pips > 31]
        if too_high and self._happens(self._manners.over_31):
            return ("play", str(seat), str(self._random.choice(too_high)))
        if self._happens(self._manners.out_of_turn) and game.is_known:
            other = self._random.choice([other for other in range(game.rules.players) if other != seat])
            if others := self._held(game, other):
                return ("play", str(other), str(self._random.choice(others)))
        is_out = any(game.right(side) >= game.target(side) for side in range(len(game.pegs)))
        if not legal or (play.may_pass(seat) and not is_out and self._happens(0.3)):
            return ("go", str(seat))
        if (
            game.is_known
            and not game.moved_short
            and not is_out
            and play.count >= FALSE_GO_FROM
            and self._happens(self._manners.false_go)
        ):
            return ("go", str(seat))
        return ("play", str(seat), str(self._random.choice(legal)))

    def _held(self, game: PaperGame, seat: int) -> list[Card]:
        """The cards that the seat still holds, whether the table knows them or not."""
        assert game.play
        return [card for card in self._hidden[seat] if card not in game.play.cards_played]

    def _count(self, game: PaperGame) -> Line:
        if self._knowledge == "known":
            return ("count",)
        if self._happens(0.1):
            return ("skip",)
        showing = game.show_order[game.counted]
        stock = self._stock[1 : 1 + game.rules.from_stock]
        crib = (*(card for away in self._away for card in away), *stock)
        return ("count", *map(str, crib if showing.is_crib else self._hidden[showing.seat]))


def _line(kind: str, seat: int, held: tuple[Card, ...]) -> Line:
    return (kind, str(seat), *map(str, held))
