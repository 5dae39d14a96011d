"""Every game in `tests/games` runs as its script says. `script.py` explains the notation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.game.script import Script, run_line

GAMES = sorted(Path(__file__).parents[1].glob("games/*.game"))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in GAMES])
def test_game_runs_as_scripted(path: Path) -> None:
    script = Script()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            run_line(script, line.split("#")[0].strip())
        except (AssertionError, ValueError) as wrong:
            pytest.fail(f"{path.name}, line {number}: {line}\n{wrong}")
