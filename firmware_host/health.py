"""How the parts of the board are: what ails each now, how often each has failed, and which keys were pressed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum


class Part(Enum):
    SENSORS = "sensors"
    LIGHTS = "lights"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class Health:
    """Since the host was started."""

    ails: Mapping[Part, str] = field(default_factory=dict)
    """Part -> what is wrong with it now, as a sentence with its mend; parts that are well are not here."""
    failures: Mapping[Part, int] = field(default_factory=dict)
    """Part -> how many times something went wrong with it that had been well."""
    presses: Mapping[str, int] = field(default_factory=dict)
    """Key -> how often it was pressed. Cards that somebody types for advice are nobody's business: not counted."""

    def said(self, part: Part, ailment: str) -> Health:
        """After the part was used once more; an empty ailment: it did what it should."""
        before = self.ails.get(part, "")
        if ailment == before:
            return self
        others = {each: what for each, what in self.ails.items() if each is not part}
        if not ailment:
            return replace(self, ails=others)
        times = self.failures.get(part, 0) + (not before)
        return replace(self, ails={**others, part: ailment}, failures={**self.failures, part: times})

    def pressed(self, key: str) -> Health:
        return replace(self, presses={**self.presses, key: self.presses.get(key, 0) + 1})
