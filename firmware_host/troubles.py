"""What is broken at the moment, part by part: logged once when it begins and once when it is over."""

from __future__ import annotations

import logging
from collections.abc import Mapping

log = logging.getLogger(__name__)


class Troubles:
    """The parts in trouble, the one heard of first at the head."""

    def __init__(self) -> None:
        self._of: dict[str, str] = {}
        self._times: dict[str, int] = {}

    def hear(self, part: str, sentence: str) -> bool:
        """This part's trouble in a sentence; empty: it is well. Says whether that is news."""
        if self._of.get(part, "") == sentence:
            return False
        if sentence:
            self._times[part] = self._times.get(part, 0) + (part not in self._of)
            self._of[part] = sentence
            log.warning("%s: %s", part, sentence)
        else:
            del self._of[part]
            log.info("%s: well again", part)
        return True

    def of(self, part: str) -> str:
        """Empty while the part is well."""
        return self._of.get(part, "")

    @property
    def now(self) -> Mapping[str, str]:
        """Part -> its trouble; parts that are well are not there. Any thread may ask."""
        return self._of.copy()

    @property
    def times(self) -> Mapping[str, int]:
        """Part -> how often it got into trouble."""
        return self._times.copy()
