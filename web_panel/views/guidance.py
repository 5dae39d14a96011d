"""What people should do next, in full sentences: a headline, a detail, and what the page awaits. Pure.

The display says the same in 21 columns. Which situation comes first is decided once, by `Snapshot.situation`; this
module only finds the words, and those of each phase stand beside the display's and the voice's in `ui/phases/`. What a
player may not know yet, such as points under a silent referee, is not in the situation.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import asdict, replace

from firmware_host.cribbage.cards import LETTERS
from firmware_host.game.auction import next_bidder
from firmware_host.game.state import Table
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.keys import input_state as k
from firmware_host.ui.keys.count_questions import parts_of
from firmware_host.ui.keys.hand_reading import cards_to_read
from firmware_host.ui.phases.guide import Expects, Guide, Tone
from firmware_host.ui.phases.play import last_from_row, next_player
from firmware_host.ui.phases.read_hand import how_to_read
from firmware_host.ui.phases.wordings import WORDINGS
from firmware_host.ui.situation import Situation, Topic
from firmware_host.ui.texts.count_parts import QUESTIONS
from firmware_host.ui.texts.fault_messages import cannot_save
from firmware_host.ui.texts.messages import with_suit_symbol
from firmware_host.ui.texts.peg_news import peg_news
from firmware_host.ui.texts.spoken_words import together
from firmware_host.ui.translator import Translator, untranslated
from web_panel.views.hand_question import question_label
from web_panel.views.peg_sentences import PegMove, PegSentences, fault_sentences, points_sentences
from web_panel.views.turn_points import news_without_pegs

NO_BREAK_SPACE = "\u00a0"
SHORT_SENTENCE = 18
"""Letters that fit in one line of a headline beside a button on the smallest phone."""


class Guidance(Guide, frozen=True):
    """A guide with its topic."""

    peg: PegMove | None = None
    """The one peg move that is awaited."""
    pegs: tuple[PegMove, ...] = ()
    """The moves of all sides that have points to move: a phone offers that of its own side."""
    topic: Topic = Topic.PHASE


def guidance(snapshot: Snapshot, tr: Translator = untranslated) -> Guidance:
    """What people should do next, in the language of `tr`."""
    found = snapshot.situation
    guided = _guided(snapshot, found, tr)
    return replace(guided, topic=found.topic)


def _guided(snapshot: Snapshot, found: Situation, tr: Translator) -> Guidance:
    match found.topic:
        case Topic.CALIBRATION if snapshot.calibration:
            step = snapshot.fault_message(tr) or snapshot.calibration(tr)
            return Guidance(tr("The wiring is being calibrated."), step, Tone.WAIT, waits_for=tr("Go on at the board"))
        case Topic.PAIRING:
            return _pairing(snapshot, tr)
        case Topic.FAULT:
            return _fault(snapshot, tr)
        case Topic.SETUP:
            detail = tr("The game waits. The owner goes on, or ends it, on the page Device.")
            return Guidance(tr("The board is being set up."), detail, Tone.WAIT, waits_for=tr("Waiting for the set-up"))
        case Topic.NOTICE if snapshot.notice:
            below = _guided(snapshot, snapshot.situation_of_game, tr)
            return replace(below, headline=snapshot.notice(tr), detail=below.headline)
    return _guided_in_game(snapshot, found, tr)


def _guided_in_game(snapshot: Snapshot, found: Situation, tr: Translator) -> Guidance:
    table = None if snapshot.shown is None else snapshot.shown.table
    if found.topic is Topic.TYPING:
        return _typing(snapshot.input_state, table, tr)
    if table is None:
        detail = tr("Start one here, or press ENTER on the board.")
        return Guidance(tr("No game is on."), detail, Tone.IDLE)
    if found.topic is Topic.PEGS_ASTRAY and found.astray:
        return _pegs(fault_sentences(snapshot, table, found.astray, tr), found.astray.track, tr)
    if found.topic is Topic.PENDING and found.leap:
        name = table.side_name(found.leap.side)
        points = found.leap.points
        headline = tr.counted("{name}: a move of {points} hole.", "{name}: a move of {points} holes.", points)
        said = Guidance(headline.format(name=name, points=points), tr("It counts as soon as the peg holds still."))
        return replace(said, expects=Expects.CONFIRM, side=found.leap.side)
    if found.topic is Topic.POINTS and found.side is not None:
        sentences = points_sentences(snapshot, table, found.side, tr)
        follow_up = together(last_from_row(table, tr), "" if _wins(table, found.side) else next_player(table, tr))
        guided = _pegs(sentences, found.side, tr, follow_up=follow_up)
        return replace(guided, pegs=tuple(_moves(snapshot, table, tr)))
    return _with_news(Guidance(**asdict(WORDINGS[table.phase].guide(table, tr))), snapshot, table, tr)


def _with_news(guided: Guidance, snapshot: Snapshot, table: Table, tr: Translator) -> Guidance:
    """What nothing is awaited for is the headline until the next turn: the pegs that move on a board that is not seen,
    or points without pegs. After a game its result stays first."""
    sentences = [sentence for news in peg_news(snapshot.history, tr) for sentence in (news.headline, news.move)]
    said = " ".join(map(_kept_together, sentences)) or news_without_pegs(snapshot, table, tr)
    if not said:
        return guided
    if guided.tone is Tone.WIN:
        return replace(guided, detail=f"{said} {guided.detail}")
    return replace(guided, headline=said, detail=guided.headline)


def _kept_together(sentence: str) -> str:
    """A short sentence stays on one line: a line "47. Peg 39 to 47." would be misread."""
    return sentence.replace(" ", NO_BREAK_SPACE) if len(sentence) <= SHORT_SENTENCE else sentence


def _moves(snapshot: Snapshot, table: Table, tr: Translator) -> Iterator[PegMove]:
    for number, side in enumerate(table.sides):
        if side.is_owing and (move := points_sentences(snapshot, table, number, tr).move):
            yield move


def _wins(table: Table, number: int) -> bool:
    """Whether the points that a side has to move win the game."""
    side = table.sides[number]
    return side.goal.front >= side.target


def _pegs(said: PegSentences, side: int, tr: Translator, *, follow_up: str = "") -> Guidance:
    tone = Tone.ERROR if said.is_error else Tone.NEXT
    detail = said.detail if said.is_error else f"{said.detail} {follow_up}".rstrip()
    return Guidance(said.headline, detail, tone, Expects.PEG, side, said.waits_for, said.move)


def _pairing(snapshot: Snapshot, tr: Translator) -> Guidance:
    headline = tr("{name} asks to join.").format(name=snapshot.pairing_state.requested_by)
    detail = tr("On the board, ENTER adds this phone and UNDO refuses it. The owner’s page can answer too.")
    return Guidance(headline, detail, Tone.WAIT, waits_for=tr("Answer on the board"))


def _fault(snapshot: Snapshot, tr: Translator) -> Guidance:
    message = snapshot.fault_message
    detail = (
        tr("Moves are not kept if the board is switched off now.") if message is cannot_save else tr("Scores are kept.")
    )
    return Guidance(message(tr), detail, Tone.ERROR, waits_for=tr("Waiting for the board"))


def _typing(entered: k.InputState, table: Table | None, tr: Translator) -> Guidance:
    """Somebody types on the sixteen keys of the board."""
    detail = tr("Answer with the board’s keys.")
    waits_for = tr("Answer on the board")
    if isinstance(entered, k.ReadingHand):
        detail = how_to_read(tr)
        waits_for = tr("Waiting for the card reader")
    return Guidance(_typed(entered, table, tr), detail, Tone.WAIT, waits_for=waits_for)


def _typed(entered: k.InputState, table: Table | None, tr: Translator) -> str:
    match entered:
        case k.TypingStarter(rank=rank):
            return tr("The starter is {rank}. Which suit?").format(rank=LETTERS[rank - 1].replace("T", "10"))
        case k.TypingHand(cards=cards, question=question) if table is not None and table.to_count is not None:
            seat, is_crib = table.to_count
            sentence = tr("{name}’s crib: {cards}.") if is_crib else tr("{name}’s hand: {cards}.")
            typed = " ".join(map(with_suit_symbol, cards))
            return question_label(question, table, tr) or sentence.format(name=table.names[seat], cards=typed)
        case k.AskingCount():
            return tr(QUESTIONS[parts_of(entered)[entered.number]])
        case k.AskingStarter():
            return tr("Starter card?")
        case k.Scoring(side=side) | k.TypingPoints(side=side) if table is not None:
            return tr("How many points for {name}?").format(name=table.side_name(side))
        case k.ReadingHand(cards=cards) if table is not None:
            return tr("Read: {number} of {all}").format(number=len(cards), all=cards_to_read(table))
        case k.TypingClaim():
            return tr("How many points were missed?")
        case k.TypingBid() if table is not None and table.deal is not None:
            return tr("{name}: your bid?").format(name=table.names[next_bidder(table, table.deal)])
        case k.RemovingPhone(phone=phone):
            return tr("Remove {name}’s phone?").format(name=phone.name)
        case k.TypingJoinCode():
            return tr("Somebody types the code of the club night.")
        case k.SeatOffered(start=start):
            names = tr("{list} and {last}").format(list=", ".join(start.names[:-1]), last=start.names[-1])
            return tr("{names}: do you sit here?").format(names=names)
        case k.TypingDeal():
            return tr("Somebody asks the board for advice.")
        case k.Choosing():
            return tr("The menu of the board is open.")
        case _:
            return tr("The board’s keys are in use.")
