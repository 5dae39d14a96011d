"""A spoken lesson for people who cannot see the board: its keys, then pegs in a practice game. Pure.

The first steps take every key. The others belong to a practice game of two players, in which the learner sits first:
the awaited key goes to the game, and any other key is only named, so that the game cannot leave its script. Pegs are
moved on the board, and read and put right as in any game. Where nothing reads them, the learner says by ENTER that a
peg is moved, and the steps about pegs that go wrong are left out. FN held ends the lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.game.state import Table
from firmware_host.ui.keys.input_state import WITH_FN
from firmware_host.ui.spoken.input import key_in_words
from firmware_host.ui.texts.messages import capitalized
from firmware_host.ui.texts.spoken_words import Spoken, together
from firmware_host.ui.translator import Message, Translator

LEARNER = 0
"""Side and track of the learner."""
ANY_WITH_FN = f"{WITH_FN}*"
"""Any key while FN is down."""

PegsAreRight = Callable[[Table, bool], bool]
"""Whether the pegs of a table are as a step wants them; the second argument: whether a peg of the learner is astray."""


class LessonStep(Struct, frozen=True):
    """`task` is said again after a wrong key, `intro` is not. It ends with the last of `keys`, or when `pegs` holds."""

    task: Message
    intro: Message | None = None
    keys: tuple[str, ...] = ()
    pegs: PegsAreRight | None = None
    is_played: bool = False
    """Whether its keys go to the practice game."""

    @property
    def is_about_the_game(self) -> bool:
        """Whether what the practice game waits for is to be done now."""
        return self.pegs is not None or (self.is_played and not self.keys[0].startswith(WITH_FN))


def at_score(score: int) -> PegsAreRight:
    """The learner has pegged to this score, and owes nothing."""

    def holds(table: Table, is_astray: bool) -> bool:
        return table.sides[LEARNER].pegs.front == score and not table.sides[LEARNER].owed and not is_astray

    return holds


KEY_STEPS: Sequence[LessonStep] = (
    LessonStep(
        lambda tr: tr("The ace is at the top left. Press it."),
        lambda tr: tr(
            "This lesson teaches keys and pegs. Hold FN for a second to end it. "
            "There are sixteen keys, in four rows of four."
        ),
        ("A",),
    ),
    LessonStep(lambda tr: tr("ENTER is at the bottom right. Press it."), keys=("ENTER",)),
    LessonStep(lambda tr: tr("FN is left of ENTER. Press it."), keys=("FN",)),
    LessonStep(lambda tr: tr("Ten is left of FN. It is also zero. Press it."), keys=("10",)),
    LessonStep(lambda tr: tr("UNDO is at the bottom left. Press it."), keys=("UNDO",)),
    LessonStep(
        lambda tr: tr("Jack, queen and king are on the right, from the top. Press the jack."),
        keys=("J",),
    ),
    LessonStep(
        lambda tr: tr("Keep FN down and press any key."),
        lambda tr: tr("A key that is pressed while FN is down is only named."),
        (ANY_WITH_FN,),
    ),
    LessonStep(
        lambda tr: tr("Keep FN down and press Q: you hear where the pegs are."),
        lambda tr: tr("Now a practice game. You are the first player, and you deal."),
        (f"{WITH_FN}Q",),
        is_played=True,
    ),
)
ENTER_CARDS = LessonStep(
    lambda tr: tr("Press FN twice, to enter cards."),
    lambda tr: tr("Without cards, a key says who scores."),
    ("FN", "FN"),
    is_played=True,
)
STARTER = LessonStep(
    lambda tr: tr("The starter is the jack of spades. Press J for jack, then J for spades."),
    keys=("J", "J"),
    is_played=True,
)
FIRST_PEG = LessonStep(
    lambda tr: tr("Two pegs are in the start holes of your track. Put one of them into hole two."),
    pegs=at_score(2),
)
FIVE_IS_LED = LessonStep(
    lambda tr: tr("The other player leads a five. Press five."),
    lambda tr: tr("The board has read your peg."),
    ("5",),
    is_played=True,
)
CARD_STEPS: Sequence[LessonStep] = (
    LessonStep(lambda tr: tr("Now you play a card. Press nine, by mistake."), keys=("9",), is_played=True),
    LessonStep(lambda tr: tr("UNDO takes back what was done last. Press it."), keys=("UNDO",), is_played=True),
    LessonStep(lambda tr: tr("You wanted to play the king. Press it."), keys=("K",), is_played=True),
)
SECOND_PEG = LessonStep(
    lambda tr: tr("The peg behind moves past the one in front. Put it two holes beyond."),
    pegs=at_score(4),
)
LIFTED_PEG_STEPS: Sequence[LessonStep] = (
    LessonStep(
        lambda tr: tr("Take your front peg out, and wait."),
        lambda tr: tr("The board says what is wrong with a peg."),
        pegs=lambda table, is_astray: is_astray,
    ),
    LessonStep(
        lambda tr: tr("Put the peg back. A tone rises as it comes near its hole."),
        pegs=at_score(4),
    ),
)
LAST_STEP = LessonStep(
    lambda tr: tr("Press ENTER to end the lesson."),
    lambda tr: tr("That was the lesson. FN and J repeat what was said. FN held opens the menu."),
    ("ENTER",),
)


def confirmed(step: LessonStep) -> LessonStep:
    """The step about pegs that nothing reads: ENTER says that it is done."""
    return LessonStep(lambda tr: together(step.task(tr), tr("Then press ENTER.")), keys=("ENTER",))


STEPS: Sequence[LessonStep] = (
    *(*KEY_STEPS, STARTER, FIRST_PEG, FIVE_IS_LED, *CARD_STEPS, SECOND_PEG),
    *(*LIFTED_PEG_STEPS, LAST_STEP),
)
STEPS_BY_HAND: Sequence[LessonStep] = (
    *(*KEY_STEPS, ENTER_CARDS, STARTER, confirmed(FIRST_PEG), replace(FIVE_IS_LED, intro=None)),
    *(*CARD_STEPS, confirmed(SECOND_PEG), LAST_STEP),
)
"""The lesson for boards whose pegs nothing reads."""


class Lesson(Struct, frozen=True):
    """Where a lesson is. Immutable: each event returns the next state. `wrong`: the key that was pressed by mistake;
    `tries`: how many were."""

    number: int = 0
    typed: int = 0
    """How many of the step's keys were pressed."""
    tries: int = 0
    wrong: str = ""
    named: str = ""
    """The key that completed the step before and is to be named."""
    is_by_hand: bool = False
    """Whether nothing reads the pegs of the practice game."""

    @property
    def step(self) -> LessonStep:
        """The present step; not after the end."""
        return self.steps[self.number]

    @property
    def steps(self) -> Sequence[LessonStep]:
        """All steps of this lesson."""
        return STEPS_BY_HAND if self.is_by_hand else STEPS

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to do."""
        return self.number == len(self.steps)

    def pressed(self, key: str) -> Lesson:
        """The lesson after a key."""
        if not self.awaits(key):
            return replace(self, tries=self.tries + 1, wrong=key.removeprefix(WITH_FN))
        if self.typed + 1 < len(self.step.keys):
            return replace(self, typed=self.typed + 1, wrong="")
        is_named = self.step.keys[-1] == ANY_WITH_FN
        return self._next(named=key.removeprefix(WITH_FN) if is_named else "")

    def awaits(self, key: str) -> bool:
        """Whether this is the key to press now."""
        if self.typed >= len(self.step.keys):
            return False
        awaited = self.step.keys[self.typed]
        return key == awaited or (awaited == ANY_WITH_FN and key.startswith(WITH_FN))

    def seen(self, table: Table, is_astray: bool) -> Lesson:
        """The lesson after a look at the practice game; `is_astray`: a peg of the learner is not where it belongs."""
        is_done = self.step.pegs is not None and self.step.pegs(table, is_astray)
        return self._next() if is_done else self

    def _next(self, named: str = "") -> Lesson:
        return Lesson(self.number + 1, named=named, is_by_hand=self.is_by_hand)


def spoken_lesson(lesson: Lesson, tr: Translator) -> Spoken:
    """What to do now; after a wrong key its name, and the task again."""
    task = lesson.step.task(tr)
    about = f"lesson.{lesson.number}.{lesson.tries}"
    if lesson.wrong:
        return Spoken(about, together(capitalized(key_in_words(lesson.wrong, tr)), task))
    named = capitalized(key_in_words(lesson.named, tr)) if lesson.named else ""
    return Spoken(about, together(named, lesson.step.intro(tr) if lesson.step.intro else "", task))
