"""What the table refuses. Each says expected, got, where and the way on; `kind` is its name in records."""

from __future__ import annotations

from firmware_host.cribbage.refusals import Refusal


class NoGame(Refusal):
    """There is no game at this table yet."""

    kind = "no_game"


class GameIsOver(Refusal):
    """The game has its winner; only a new one, or an undo, can follow."""

    kind = "game_over"


class GameHoleFirst(Refusal):
    """A side has the points to go out and has not yet put its peg in the game hole."""

    kind = "game_hole_first"


class WrongPhase(Refusal):
    """The order belongs to another part of the deal."""

    kind = "wrong_phase"


class OutOfTurn(Refusal):
    """Another seat is to play."""

    kind = "out_of_turn"


class CardNotHeld(Refusal, LookupError):
    """The seat does not hold that card."""

    kind = "card_not_held"


class CardSeenElsewhere(Refusal):
    """The same card already lies somewhere else in this deal."""

    kind = "card_seen_elsewhere"


class WrongShowOrder(Refusal):
    """Hands are counted from the dealer's left round to the dealer, then the crib."""

    kind = "wrong_show_order"


class NothingToUndo(Refusal):
    """The game stands at its beginning, or at its latest turn."""

    kind = "nothing_to_undo"


class BidTooLow(Refusal):
    """A bid is a whole number from 1, and higher than the bid before."""

    kind = "bid_too_low"


class ExceedsScore(Refusal):
    """Nobody may bid more than they have."""

    kind = "exceeds_score"


class NoMuggins(Refusal):
    """Muggins is not played, or not here, or nobody can be claimed from any more."""

    kind = "no_muggins"


class PegsMoveThemselves(Refusal):
    """Whatever is due to this side is moved at once; there is nothing to tell."""

    kind = "pegs_move_themselves"


class NotASeat(Refusal, ValueError):
    """The game has no such seat, side or score."""

    kind = "not_a_seat"
