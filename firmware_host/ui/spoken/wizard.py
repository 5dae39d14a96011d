"""The set-up wizard in spoken sentences: those of the display, for the ear."""

from __future__ import annotations

from firmware_host.board.plan import BoardPlan
from firmware_host.ui.texts.spoken_words import Spoken, ended, for_ear, together
from firmware_host.ui.translator import Translator
from firmware_host.ui.wizard.display import wizard_line, wizard_title
from firmware_host.ui.wizard.wizard import Wizard
from firmware_host.ui.wizard_commands import Step

MOST_KEYS_NAMED = 4
"""More keys that are missing are not named."""


def spoken_wizard(wizard: Wizard, plan: BoardPlan, tr: Translator) -> Spoken:
    """What to do now. Holes and keys are tried one after the other, so that their steps leave out the rest."""
    line = ended(for_ear(wizard_line(wizard, plan, tr), tr))
    match wizard.step:
        case Step.SENSORS:
            return Spoken("setup", line)
        case Step.KEYS:
            missing = wizard.missing_keys()
            named = ended(for_ear(", ".join(missing), tr)) if 0 < len(missing) <= MOST_KEYS_NAMED else ""
            return Spoken("setup", together(line, named))
        case Step.LANGUAGE:
            line = together(line, tr("The address is on the display."))
    return Spoken("setup", together(ended(for_ear(wizard_title(wizard, tr), tr)), line, ended(tr("Hold FN: later"))))
