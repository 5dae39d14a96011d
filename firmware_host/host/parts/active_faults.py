"""The faults of the board's parts: logged once when one begins, and once when it is over."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

log = logging.getLogger(__name__)


class ActiveFaults:
    """Part -> its fault, oldest first. The names of the parts are in `health`."""

    def __init__(self) -> None:
        self._sentences: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self.revision = 0
        """Grows with every change."""

    def report(self, part: str, sentence: str) -> None:
        """Sets this part's fault; an empty sentence ends it."""
        if self._sentences.get(part, "") == sentence:  # asked several times for each scan
            return
        self.revision += 1
        if sentence:
            self._counts[part] = self._counts.get(part, 0) + (part not in self._sentences)
            self._sentences[part] = sentence
            log.warning("%s: %s", part, sentence)
        else:
            del self._sentences[part]
            log.info("%s: recovered", part)

    def sentence(self, part: str) -> str:
        """Empty while the part works."""
        return self._sentences.get(part, "")

    def first_of(self, parts: Iterable[str]) -> str | None:
        """The first of these parts that has a fault; None if all of them work."""
        for part in parts:
            if part in self._sentences:
                return part
        return None

    @property
    def sentences(self) -> Mapping[str, str]:
        """A copy for any thread. Parts that work are not in it."""
        return self._sentences.copy()

    @property
    def counts(self) -> Mapping[str, int]:
        """Part -> how often it failed. A copy for any thread."""
        return self._counts.copy()
