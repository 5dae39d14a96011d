"""The set-up wizard on the board itself: the page on the display, and the lights.

| lights of the step | meaning                                                                  |
|--------------------|--------------------------------------------------------------------------|
| SENSORS            | white: put a peg here; green: works; red: marked as not answering        |
| LIGHTS             | all lights in the colour that the page asks about                        |
| any other          | dark                                                                     |
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.board.components import PlannedHole
from firmware_host.board.course import START_HOLES
from firmware_host.board.plan import BoardPlan
from firmware_host.ui.display.oled_page import Page, wrap_text
from firmware_host.ui.lights.lights import DARK, Colour
from firmware_host.ui.translator import Translator
from firmware_host.ui.wizard.wizard import HoleResult, Wizard, name_of
from firmware_host.ui.wizard_commands import Question, Step

BODY_LINES = 6
"""Lines between the title and the last line."""
HERE: Colour = (255, 255, 255)
COLOURS: Mapping[HoleResult, Colour] = {
    HoleResult.WORKS: (0, 12, 0),
    HoleResult.DEAD: (40, 0, 0),
    HoleResult.STUCK: (40, 0, 0),
}
FULL = 60
"""Brightness of the colours that all lights show at once. The driver of the lights limits their current as well."""
COLOUR_OF: Mapping[Question, Colour] = {
    Question.RED: (FULL, 0, 0),
    Question.GREEN: (0, FULL, 0),
    Question.BLUE: (0, 0, FULL),
}


def wizard_lights(wizard: Wizard, plan: BoardPlan) -> list[Colour]:
    """One colour for each light of the chain."""
    if wizard.step is Step.LIGHTS:
        return [COLOUR_OF[wizard.question] if wizard.question else DARK] * plan.led_count
    frame = [DARK] * plan.led_count
    if wizard.step is Step.SENSORS:
        for hole in plan.holes:
            if result := wizard.holes.get(name_of(plan, hole)):
                frame[hole.led] = COLOURS[result]
        if here := wizard.next_hole(plan):
            frame[here.led] = HERE
    return frame


def wizard_page(wizard: Wizard, plan: BoardPlan, address: str, tr: Translator) -> Page:
    """The page on the display. `address`: where a browser finds the panel."""
    body = (*wrap_text(wizard_line(wizard, plan, tr), 3), *_more(wizard, plan, address))[:BODY_LINES]
    gap = (("", 1),) * (BODY_LINES - len(body))
    return ((wizard_title(wizard, tr), 1), *body, *gap, (tr("Hold FN: later"), 1))


def wizard_title(wizard: Wizard, tr: Translator) -> str:
    """Which step it is."""
    return tr("Set-up {number} of {all}").format(number=wizard.number, all=len(wizard.steps))


def wizard_line(wizard: Wizard, plan: BoardPlan, tr: Translator) -> str:
    """What to do now, in the words of the display."""
    match wizard.step:
        case Step.LANGUAGE:
            return tr("Open in a browser:")
        case Step.NAMES:
            return tr("Names: on the page")
        case Step.BOARD:
            return tr("Parts: see the page")
        case Step.SENSORS:
            here = wizard.next_hole(plan)
            return tr("Put a peg in {hole}").format(hole=hole_name(plan, here, tr)) if here else tr("Holes: all tried")
        case Step.LIGHTS:
            return tr("Colour of the lights? See the page") if wizard.question else tr("Lights: all tried")
        case Step.KEYS:
            return tr("Press each key:") if wizard.missing_keys() else tr("Keys: all work")
        case Step.SOUND:
            return tr("Sound: on the page")
        case Step.PHONE:
            return tr("Add a phone: see the page")
        case Step.BROKER:
            return tr("Club, smart home: on the page")
        case Step.GAME:
            return tr("Ready. Start a game on the page")


def _more(wizard: Wizard, plan: BoardPlan, address: str) -> Page:
    """What stands below the sentence."""
    match wizard.step:
        case Step.LANGUAGE:
            return wrap_text(address, 3)
        case Step.SENSORS:
            return ((f"{len(wizard.holes)} / {plan.sensor_count}", 1),)
        case Step.KEYS:
            return wrap_text(" ".join(wizard.missing_keys()), 3)
        case _:
            return ()


def hole_name(plan: BoardPlan, hole: PlannedHole, tr: Translator) -> str:
    """The name of a hole in the language of `tr`: `red 37`, `red, start hole`, `game hole`."""
    if hole.track is None:
        return tr("game hole")
    track = tr(plan.track_info[hole.track].name)
    if hole.hole > 0:
        return f"{track} {hole.hole}"
    start = tr("start hole") if hole.hole == START_HOLES[1] else tr("back start hole")
    return f"{track}, {start}"
