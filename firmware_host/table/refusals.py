"""What the table refuses. Each says expected, got, where and the way on; `kind` is its name in records."""

from __future__ import annotations

from firmware_host.cribbage.refusals import Refusal, WrongNumberOfCards
from firmware_host.table.state import Phase


class NoGame(Refusal):
    """There is no game at this table yet."""

    kind = "no_game"
    sentence = "Start a game first"


class GameIsOver(Refusal):
    """The game has its winner; only a new one, or an undo, can follow."""

    kind = "game_over"
    sentence = "{name} has won: start a new game"


class GameHoleFirst(Refusal):
    """A side has the points to go out and has not yet put its peg in the game hole."""

    kind = "game_hole_first"
    sentence = "{name}'s peg goes into the game hole first"


NOT_NOW = {
    Phase.CUT: "Not yet: cut for the deal first",
    Phase.DEAL: "Not now: the cards are being dealt",
    Phase.BID: "Not now: the crib is being sold",
    Phase.PLAY: "Not now: the cards are being played",
    Phase.SHOW: "Not now: the hands are being counted",
    Phase.GATHER: "Not now: this deal is over",
    Phase.OVER: "Not now: the game is over",
}


class WrongPhase(Refusal):
    """The order belongs to another part of the deal than the `phase` that is on."""

    kind = "wrong_phase"

    def __init__(self, expected: str, phase: Phase, got: str = "", mend: str = "") -> None:
        super().__init__(expected, got or f"it in the {phase.value}", mend=mend)
        self.sentence = NOT_NOW[phase]


class OutOfTurn(Refusal):
    """Another seat is to play."""

    kind = "out_of_turn"
    sentence = "It is {name}'s turn"


class WrongDeal(WrongNumberOfCards):
    """A hand is dealt with another number of cards."""

    sentence = "{name} is dealt {number} card"
    sentence_of_many = "{name} is dealt {number} cards"


class WrongDiscard(WrongNumberOfCards):
    """Another number of cards goes to the crib."""

    sentence = "{name} lays away {number} card"
    sentence_of_many = "{name} lays away {number} cards"


class CardNotHeld(Refusal, LookupError):
    """The seat does not hold that card."""

    kind = "card_not_held"
    sentence = "{name} does not hold {card}"


class CardMissing(CardNotHeld):
    """A card that was seen in a hand is not among those that are shown as it."""

    sentence = "{name}: {card} is missing"


class CardsUntold(CardNotHeld):
    """The table was not told the cards that it would need."""

    sentence = "Tell the cards first"


class CardSeenElsewhere(Refusal):
    """The same card already lies somewhere else in this deal."""

    kind = "card_seen_elsewhere"
    sentence = "{card} lies elsewhere: look again"


class WrongShowOrder(Refusal):
    """Hands are counted from the dealer's left round to the dealer, then the crib."""

    kind = "wrong_show_order"
    sentence = "{name} counts next"


class NothingToUndo(Refusal):
    """The game stands at its beginning, or at its latest turn."""

    kind = "nothing_to_undo"
    sentence = "There is no turn to take back"


class NothingToRedo(NothingToUndo):
    """No turn was taken back."""

    sentence = "No turn was taken back"


class BidTooLow(Refusal):
    """A bid is a whole number from 1, and higher than the bid before."""

    kind = "bid_too_low"
    sentence = "Bid {number} or more, or pass"


class ExceedsScore(Refusal):
    """Nobody may bid more than they have."""

    kind = "exceeds_score"
    sentence = "{name} can bid {number} at most"


class NoMuggins(Refusal):
    """Muggins is not played, or not here, or nobody can be claimed from any more."""

    kind = "no_muggins"
    sentence = "Muggins is not claimed in this game"


class NoMugginsNow(NoMuggins):
    """Muggins can be claimed, but not here."""

    sentence = "No muggins can be claimed now"


class NoMugginsYet(NoMuggins):
    """Whoever overlooked the points may still peg them."""

    sentence = "No muggins yet: the points can still be pegged"


class PegsMoveThemselves(Refusal):
    """Whatever is due to this side is moved at once; there is nothing to tell."""

    kind = "pegs_move_themselves"
    sentence = "These points move by themselves"


class NotASeat(Refusal, ValueError):
    """The game has no such seat, side or score."""

    kind = "not_a_seat"
    sentence = "The game has no such seat or score"


class NotAScore(NotASeat):
    """No side can stand there."""

    sentence = "A score goes from 0 to {number}"
