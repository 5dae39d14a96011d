"""Scripts that showed a fault of the program once: by now it does as on paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.paper_rules.compare import Match
from tests.paper_rules.program import PureProgram
from tests.paper_rules.script import read_script

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.script"))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in SCRIPTS])
def test_program_does_as_on_paper(path: Path) -> None:
    setting, lines = read_script(path.read_text(encoding="utf-8"))
    match = Match(setting, PureProgram)
    for line in lines:
        difference = match.do(line)
        assert difference is None, str(difference)


def test_there_are_scripts() -> None:
    assert SCRIPTS
