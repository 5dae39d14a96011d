"""The parts of a count by name, the question about each, and what is said to an answer. Page, terminal and board share
them.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.cribbage.show import Part
from firmware_host.ui.translator import Translator

PART_NAMES: Mapping[Part, str] = {
    Part.FIFTEENS: "Fifteens",
    Part.PAIRS: "Pairs",
    Part.RUNS: "Runs",
    Part.FLUSH: "Flush",
    Part.NOBS: "His nobs",
}
QUESTIONS: Mapping[Part, str] = {
    Part.FIFTEENS: "How many points for fifteens?",
    Part.PAIRS: "How many points for pairs?",
    Part.RUNS: "How many points for runs, without the pairs?",
    Part.FLUSH: "How many points for a flush?",
    Part.NOBS: "How many points for his nobs?",
}


def verdicts_in_words(tr: Translator) -> Mapping[str, str]:
    """The sentence for each verdict: `right`, `low` and `high`."""
    return {"right": tr("Right."), "low": tr("There is more to find."), "high": tr("That is too many.")}
