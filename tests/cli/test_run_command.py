"""`cribboard run` with a board that it cannot use ends with one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.cli import main


@pytest.mark.parametrize(("text", "said"), [(None, "expected a plan file"), ("name = [", "expected TOML")])
def test_a_missing_or_broken_plan_file_is_named(tmp_path: Path, text: str | None, said: str) -> None:
    plan, settings = tmp_path / "mine.toml", tmp_path / "cribboard.toml"
    if text is not None:
        plan.write_text(text)
    settings.write_text(f'simulate = true\nboard = "{plan}"\n')
    done = CliRunner().invoke(main, ["run", "--settings", str(settings), "--state-folder", str(tmp_path / "state")])
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit)
    assert done.stderr.startswith(str(plan)) and said in done.stderr and done.stderr.count("\n") == 1
