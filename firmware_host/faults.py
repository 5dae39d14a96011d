"""What goes wrong around a game rather than in it: files, and what is written in them."""

from __future__ import annotations


class HostFault(Exception):
    """The program cannot go on as asked. One line: where, what was expected, what was found, and the mend."""

    def __init__(self, expected: str, got: str, where: str, mend: str) -> None:
        super().__init__(" ".join(f"{where}: expected {expected}, got {got}; {mend}".split()))
        self.expected, self.got, self.where, self.mend = expected, got, where, mend
