"""Counts what the running program does for one event: calls of its own Python functions, the same on every machine."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
OWN = ("board_drivers", "firmware_host", "web_panel")


class Work(NamedTuple):
    """`calls` of own functions, resumed generators included; `switches`: those whose caller is in another package."""

    calls: int
    switches: int


class CallCounter:
    """Counts in every thread that is started after `install`."""

    def __init__(self) -> None:
        self._packages: dict[CodeType, str] = {}
        self._lists = list[list[bool]]()
        self._is_on = False

    def install(self) -> None:
        """Counts in the threads that are started from now on."""
        threading.setprofile(self._begin_thread)

    def uninstall(self) -> None:
        """Threads started from now on are not counted."""
        threading.setprofile(None)
        self._is_on = False

    def work_of(self, act: Callable[[], object]) -> Work:
        """What `act` and the other threads did until it returned."""
        for each in self._lists:
            each.clear()
        self._is_on = True
        try:
            act()
        finally:
            self._is_on = False
        return Work(sum(map(len, self._lists)), sum(map(sum, self._lists)))

    def count_here(self, act: Callable[[], object]) -> Work:
        """The same for this thread alone."""
        before = sys.getprofile()
        sys.setprofile(self._counting_in_a_list())
        try:
            return self.work_of(act)
        finally:
            sys.setprofile(before)

    def _begin_thread(self, frame: FrameType, event: str, argument: Any) -> None:
        sys.setprofile(self._counting_in_a_list())

    def _counting_in_a_list(self) -> Callable[[FrameType, str, Any], None]:
        """A list of its own for each thread: no call is lost to another thread."""
        found = list[bool]()
        self._lists.append(found)

        def count(frame: FrameType, event: str, argument: Any) -> None:
            if event == "call" and self._is_on and (package := self._package_of(frame.f_code)):
                caller = frame.f_back
                found.append(caller is not None and self._package_of(caller.f_code) not in ("", package))

        return count

    def _package_of(self, code: CodeType) -> str:
        """The folder below the top-level package; empty for code that is not the program's."""
        if code not in self._packages:
            path = Path(code.co_filename)
            is_own = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in OWN
            self._packages[code] = ".".join(path.relative_to(ROOT).parts[:2]) if is_own else ""
        return self._packages[code]
