"""What the page of the set-up wizard says and offers in each step. Pure.

Each step has one sentence, one detail and one primary action, or what is awaited in its place. Whatever a press does is
a request to the API, so that the state is on the board alone and every browser shows the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from firmware_host.board.plan import BoardPlan
from firmware_host.host.snapshot import Snapshot
from firmware_host.ui.translator import Translator
from firmware_host.ui.wizard.display import hole_name
from firmware_host.ui.wizard.wizard import KEYS, QUESTIONS, HoleResult, Wizard, in_playing_order, name_of
from firmware_host.ui.wizard_commands import Question, Step
from web_panel.json_type import Json

NAMED_HOLES = 6
"""The most holes that a sentence names; the map shows all."""


class SetupAction(Struct, frozen=True):
    """A button: its label, and the request that a press sends."""

    label: str
    path: str
    """Below `/api/v1/`."""
    body: Mapping[str, object] = field(default_factory=dict)


class SetupScreen(Struct, frozen=True):
    """One step as the page shows it."""

    headline: str
    detail: str = ""
    primary: SetupAction | None = None
    waits_for: str = ""
    """What stands in the primary place while only a peg, a key or a phone is awaited."""
    choices: tuple[SetupAction, ...] = ()
    """Other answers, small."""
    back: SetupAction | None = None
    skip: SetupAction | None = None


class PhoneAccess(Struct, frozen=True):
    """How a phone can be added now: the address of the panel, and the code (empty: none)."""

    address: str
    code: str
    is_reachable: bool


def setup_screen(snapshot: Snapshot, access: PhoneAccess, first_game: str, tr: Translator) -> SetupScreen:
    """The screen of the present step. `first_game`: names and length of the first game, in words.

    The wizard must be open.
    """
    wizard = snapshot.wizard
    assert wizard is not None
    match wizard.step:
        case Step.LANGUAGE:
            detail = tr("The board’s display uses this language too.")
            screen = SetupScreen(tr("Which language do you speak?"), detail, _go_on(wizard, tr("Go on in English")))
        case Step.NAMES:
            detail = tr("The names for new games. You can change them for each game.")
            screen = SetupScreen(tr("Who plays?"), detail, _go_on(wizard, tr("Save the names")))
        case Step.BOARD:
            screen = _board(snapshot, wizard, tr)
        case Step.SENSORS:
            screen = _sensors(snapshot.plan, wizard, tr)
        case Step.LIGHTS:
            screen = _lights(wizard, tr)
        case Step.KEYS:
            screen = _keys(wizard, tr)
        case Step.SOUND:
            screen = _sound(wizard, tr)
        case Step.PHONE:
            screen = _phone(snapshot, wizard, access, tr)
        case Step.BROKER:
            detail = tr(
                "A broker (MQTT) connects them. The board plays without one. It is used from the next start on."
            )
            stick = tr("A club gave you a stick? Choose its three files here, or run {command} on the board.")
            detail += " " + stick.format(command="sudo cribboard club join STICK")
            sentence = tr("Does the board belong to a club or a smart home?")
            screen = SetupScreen(sentence, detail, _go_on(wizard, tr("Save the broker")))
        case Step.GAME:
            screen = SetupScreen(tr("The board is ready."), first_game)
    return _with_ways(screen, wizard, tr)


def closed_screen(tr: Translator) -> SetupScreen:
    """The screen while the wizard is closed: what it is, and how to open it."""
    detail = tr("It tries every hole, light and key, adds a phone, and starts a game. The game that is on waits.")
    return SetupScreen(tr("Set up the board, step by step."), detail, SetupAction(tr("Start the set-up"), "setup/open"))


def _with_ways(screen: SetupScreen, wizard: Wizard, tr: Translator) -> SetupScreen:
    """The screen with the ways back and past the step. What goes on anyway needs no skipping."""
    back = _to(wizard.previous, tr("Back"))
    goes_on = screen.primary is not None and screen.primary.path == "setup/step"
    is_form = wizard.step in (Step.LANGUAGE, Step.NAMES, Step.BROKER)
    skip = None if goes_on and not is_form else _to(wizard.next, tr("Skip"))
    return SetupScreen(
        screen.headline, screen.detail, screen.primary, screen.waits_for, screen.choices, back=back, skip=skip
    )


def _to(step: Step | None, label: str) -> SetupAction | None:
    return SetupAction(label, "setup/step", {"step": step.value}) if step else None


def _go_on(wizard: Wizard, label: str) -> SetupAction | None:
    return _to(wizard.next, label)


def _again(wizard: Wizard, tr: Translator) -> tuple[SetupAction, ...]:
    return (SetupAction(tr("Try again"), "setup/repeat", {"step": wizard.step.value}),)


def _answer(label: str, question: Question, *, is_ok: bool) -> SetupAction:
    return SetupAction(label, "setup/answer", {"question": question.value, "is_ok": is_ok})


def _board(snapshot: Snapshot, wizard: Wizard, tr: Translator) -> SetupScreen:
    if snapshot.calibration:
        sentence = snapshot.fault_message(tr) or f"{snapshot.calibration(tr)}."
        detail = tr("On the board, ENTER skips a hole and UNDO cancels.")
        return SetupScreen(sentence, detail, waits_for=tr("Go on at the board"))
    found = tr("{board}, {tracks} tracks").format(board=snapshot.plan.title, tracks=snapshot.plan.tracks)
    sentence = tr("Found: {board}.").format(board=found)
    detail = tr("A tick shows each part that answers. Another board is chosen in the settings.")
    return SetupScreen(sentence, detail, _go_on(wizard, tr("Go on")))


def _sensors(plan: BoardPlan, wizard: Wizard, tr: Translator) -> SetupScreen:
    here = wizard.next_hole(plan)
    if here is None:
        failed = failed_holes(wizard, plan, tr)
        detail = _failed_text(failed, tr) if failed else tr("All of them work.")
        return SetupScreen(tr("Every hole was tried."), detail, _go_on(wizard, tr("Go on")), choices=_again(wizard, tr))
    sentence = tr("Put a peg in the lit hole: {hole}.").format(hole=hole_name(plan, here, tr))
    counts = tr("Holes tried: {tried} of {all}").format(tried=len(wizard.holes), all=plan.sensor_count)
    dead = SetupAction(tr("It does not answer"), "setup/hole", {"sensor": here.sensor})
    return SetupScreen(sentence, counts, waits_for=tr("Waiting for the peg"), choices=(dead,))


def failed_holes(wizard: Wizard, plan: BoardPlan, tr: Translator) -> list[str]:
    """The names of the holes that were marked."""
    tried = ((hole, wizard.holes.get(name_of(plan, hole))) for hole in in_playing_order(plan))
    return [hole_name(plan, hole, tr) for hole, result in tried if result in (HoleResult.DEAD, HoleResult.STUCK)]


def _failed_text(failed: list[str], tr: Translator) -> str:
    names = ", ".join(failed[:NAMED_HOLES]) + (" …" if len(failed) > NAMED_HOLES else "")
    return tr("These do not answer: {holes}. You can play on.").format(holes=names)


def _lights(wizard: Wizard, tr: Translator) -> SetupScreen:
    asked = {
        Question.RED: (tr("Do all lights shine red?"), tr("I see red")),
        Question.GREEN: (tr("Do all lights shine green?"), tr("I see green")),
        Question.BLUE: (tr("Do all lights shine blue?"), tr("I see blue")),
    }
    if wizard.question is None:
        works = all(wizard.answers[each] for each in QUESTIONS[Step.LIGHTS])
        detail = tr("All lights work.") if works else tr("Some lights stay dark. Check their cable and power.")
        return SetupScreen(
            tr("Every colour was tried."), detail, _go_on(wizard, tr("Go on")), choices=_again(wizard, tr)
        )
    sentence, yes = asked[wizard.question]
    no = _answer(tr("Some do not"), wizard.question, is_ok=False)
    return SetupScreen(sentence, tr("Look at the board."), _answer(yes, wizard.question, is_ok=True), choices=(no,))


def _keys(wizard: Wizard, tr: Translator) -> SetupScreen:
    missing = len(wizard.missing_keys())
    if not missing:
        return SetupScreen(tr("All keys work."), "", _go_on(wizard, tr("Go on")), choices=_again(wizard, tr))
    counts = tr("Keys that work: {number} of {all}").format(number=len(KEYS) - missing, all=len(KEYS))
    return SetupScreen(tr("Press every key of the board once."), counts, waits_for=tr("Waiting for a key"))


def _sound(wizard: Wizard, tr: Translator) -> SetupScreen:
    asked = wizard.question
    if asked is None:
        works = wizard.answers[Question.BOARD]
        detail = "" if works else tr("The board stays silent. Check the piezo and its two wires.")
        return SetupScreen(
            tr("The sounds were tried."), detail, _go_on(wizard, tr("Go on")), choices=_again(wizard, tr)
        )
    if asked is Question.BOARD:
        sentence = tr("Do you hear the board?")
        detail = tr("It plays a short tune.")
    else:
        sentence = tr("Do you hear this phone or computer?")
        detail = tr("It plays three notes and speaks.")
    play = SetupAction(tr("Play it again"), "setup/sound")
    nothing = _answer(tr("I hear nothing"), asked, is_ok=False)
    return SetupScreen(sentence, detail, _answer(tr("I hear it"), asked, is_ok=True), choices=(play, nothing))


def _phone(snapshot: Snapshot, wizard: Wizard, access: PhoneAccess, tr: Translator) -> SetupScreen:
    state = snapshot.pairing_state
    go_on = _go_on(wizard, tr("Go on"))
    if not access.is_reachable:
        detail = tr("Set the network address to 0.0.0.0, then restart the board.")
        return SetupScreen(tr("Phones cannot reach this board yet: it answers this computer only."), detail, go_on)
    if state.requested_by:
        sentence = tr("{name} asks to join.").format(name=state.requested_by)
        detail = tr("On the board, ENTER adds this phone and UNDO refuses it.")
        return SetupScreen(sentence, detail, waits_for=tr("Answer on the board"))
    typed = tr("Or open {address} on it and type {code}. ENTER on the board then adds it.")
    detail = typed.format(address=access.address, code=access.code)
    if state.phones:
        names = ", ".join(phone.name for phone in state.phones)
        sentence = tr("Added: {names}. Scan this code to add another phone.").format(names=names)
        return SetupScreen(sentence, detail, go_on)
    return SetupScreen(tr("Scan this code with a phone."), detail, waits_for=tr("Waiting for a phone"))


def setup_marks(wizard: Wizard, plan: BoardPlan) -> Json:
    """What the map and the keys of the page show: results by sensor, the requested hole, and the pressed keys."""
    here = wizard.next_hole(plan) if wizard.step is Step.SENSORS else None
    return {
        "holes": dict(_results(wizard, plan)),
        "hole": here.sensor if here else None,
        "keys": sorted(wizard.keys),
        "question": wizard.question.value if wizard.question else None,
    }


def _results(wizard: Wizard, plan: BoardPlan) -> Iterator[tuple[str, str]]:
    for hole in plan.holes:
        if result := wizard.holes.get(name_of(plan, hole)):
            yield str(hole.sensor), result.value


def setup_progress(wizard: Wizard | None) -> Json | None:
    """What everybody may know of the wizard; None while it is closed."""
    return None if wizard is None else {"step": wizard.step.value, "number": wizard.number, "of": len(wizard.steps)}
