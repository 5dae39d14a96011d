"""The refusals of a game in progress. `kind` is the name in game records."""

from __future__ import annotations

from firmware_host.cribbage.rule_errors import Refusal, WrongNumberOfCards
from firmware_host.game.state import Phase


class NoGame(Refusal):
    """No game was started yet."""

    kind = "no_game"
    sentence = "Start a game first."


class GameIsOver(Refusal):
    """The game is won; only a new game or an undo can follow."""

    kind = "game_over"
    sentence = "Won by {name}. Start a new game."


class NothingToConfirm(Refusal):
    """No result waits for this side: the game is not over, belongs to no club night, or is confirmed already."""

    kind = "nothing_to_confirm"
    sentence = "No result waits for you."


class NoBreach(Refusal):
    """These rules have no penalty for this, or nobody did it."""

    kind = "no_breach"
    sentence = "There is nothing to penalize."


class ClaimedAlready(Refusal):
    """Somebody claimed these points a moment ago: the same call made twice, or by a partner, is no wrong claim."""

    kind = "claimed_already"
    sentence = "Somebody has claimed these points already."


class MomentIsOver(Refusal):
    """The command was meant for an earlier moment: it arrived twice, or somebody else was faster."""

    kind = "moment_over"
    sentence = "The game has gone on. Look again."


class GameHoleFirst(Refusal):
    """A side has the points to win, and its peg is not in the game hole yet."""

    kind = "game_hole_first"
    sentence = "{name}: peg in the game hole first."


NOT_NOW = {
    Phase.CUT: "Choose the dealer first.",
    Phase.DEAL: "Enter the starter first.",
    Phase.BID: "Finish the bidding first.",
    Phase.PLAY: "Finish the play first.",
    Phase.SHOW: "Count the hands first.",
    Phase.GATHER: "This deal is over. Start the next one.",
    Phase.OVER: "The game is over. Start a new one.",
}


class WrongPhase(Refusal):
    """The command does not belong to the `phase` of the game."""

    kind = "wrong_phase"

    def __init__(self, expected: str, phase: Phase, got: str = "", fix: str = "") -> None:
        super().__init__(expected, got or f"it in the {phase.value}", fix=fix)
        self.sentence = NOT_NOW[phase]


class DealIsOver(Refusal):
    """The command belongs to another deal: it arrived twice, or too late."""

    kind = WrongPhase.kind
    sentence = "This deal has already ended."


class OutOfTurn(Refusal):
    """Another seat is to play or bid."""

    kind = "out_of_turn"
    sentence = "It is {name}’s turn."


class WrongDeal(WrongNumberOfCards):
    """A hand of this game is dealt with another number of cards."""

    sentence = "{name} gets {number} card."
    sentence_of_many = "{name} gets {number} cards."


class WrongDiscard(WrongNumberOfCards):
    """This seat discards another number of cards."""

    sentence = "{name} discards {number} card."
    sentence_of_many = "{name} discards {number} cards."


class CardNotHeld(Refusal, LookupError):
    """The seat does not hold that card."""

    kind = "card_not_held"
    sentence = "Not in {name}’s hand: {card}."


class CardMissing(CardNotHeld):
    """A card that was seen in a hand is missing among the cards shown."""

    sentence = "{name}: {card} is missing."


class ProgramDealsCards(Refusal):
    """The program deals in this game: nobody enters cards, or throws them in."""

    kind = "program_deals"
    sentence = "The board deals the cards in this game."


class CardsAreEntered(Refusal):
    """People deal in this game, or the program has not shuffled yet, or has dealt already."""

    kind = "cards_are_entered"
    sentence = "There are no cards to deal now."


class OpponentNeedsDealtCards(Refusal):
    """The program plays for a seat, and would see no cards: people deal them, and there is no card reader."""

    kind = "opponent_needs_dealt_cards"
    sentence = "The board plays only if it deals the cards, or has a card reader."


class OpponentHasNoCards(Refusal):
    """The program plays for a seat, and does not know its hand yet, or has not discarded."""

    kind = "opponent_has_no_cards"
    sentence = "First {name} needs its cards, and discards."


class NotForPeople(Refusal):
    """The program plays for this seat."""

    kind = "not_for_people"
    sentence = "{name} plays for itself. Wait a moment."


class NotAPack(Refusal, ValueError):
    """The order is none of 52 different cards, or the nonce is too short."""

    kind = "not_a_pack"


class CardsNotEntered(CardNotHeld):
    """The cards that are needed were not entered."""

    sentence = "Enter the cards first."


class CardSeenElsewhere(Refusal):
    """The same card was already seen somewhere else in this deal."""

    kind = "card_seen_elsewhere"
    sentence = "{card} is already in use. Check the card."


class WrongShowOrder(Refusal):
    """Hands are counted from the dealer's left round to the dealer, then the crib."""

    kind = "wrong_show_order"
    sentence = "{name} counts first."


class NothingAsked(Refusal):
    """No other player asks for a new game: nobody did, or the question is too old."""

    kind = "nothing_asked"
    sentence = "Nobody asks for a new game."


class NothingToUndo(Refusal):
    """The game is at its beginning."""

    kind = "nothing_to_undo"
    sentence = "Nothing to undo."


class CardsWereSeen(NothingToUndo):
    """The turn showed cards of a pack that the program dealt."""

    sentence = "The cards were seen. They stay as they are."


class NothingToRedo(NothingToUndo):
    """No turn was undone."""

    sentence = "Nothing to redo."


class BidTooLow(Refusal):
    """A bid is 1 or more, and higher than the bid before."""

    kind = "bid_too_low"
    sentence = "Bid {number} or more, or pass."


class BidTooHigh(Refusal):
    """With `auction_debt=debt` nobody may owe more than a whole game."""

    kind = "bid_too_high"
    sentence = "{name} can bid {number} at most."


class ExceedsScore(Refusal):
    """With `auction_debt=limit` nobody may bid more than their score."""

    kind = "exceeds_score"
    sentence = "{name} can bid {number} at most."


class NoMuggins(Refusal):
    """Muggins is not claimed in this game."""

    kind = "no_muggins"
    sentence = "Muggins cannot be claimed in this game."


class NoMugginsNow(NoMuggins):
    """Muggins can be claimed, but not in this phase, and not for less than one point."""

    sentence = "Muggins cannot be claimed now."


class NoMugginsYet(NoMuggins):
    """The side that earned the points may still peg them."""

    sentence = "Not yet. These points can still be pegged."


class PegsMoveThemselves(Refusal):
    """Points of this side move as soon as they are due; there is nothing to enter."""

    kind = "pegs_move_themselves"
    sentence = "These points are added automatically."


class NotASeat(Refusal, ValueError):
    """The game has no such seat, side or score."""

    kind = "not_a_seat"
    sentence = "This game has no such seat or score."


class NotAScore(NotASeat):
    """No score of this side can be that high, or below zero."""

    sentence = "Enter a score from 0 to {number}."
