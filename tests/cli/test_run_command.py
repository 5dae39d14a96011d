"""`cribboard run` with a board that it cannot use ends with one line."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.app import build_app
from firmware_host.cli import main
from firmware_host.config.board_plans import NoSuchPlan
from firmware_host.config.settings_sources import load_settings
from firmware_host.startup.network import listen


@pytest.mark.parametrize(
    ("text", "said"), [(None, "expected a plan file, got No such file or directory; "), ("name = [", "expected TOML")]
)
def test_a_missing_or_broken_plan_file_is_named(tmp_path: Path, text: str | None, said: str) -> None:
    plan, settings = tmp_path / "mine.toml", tmp_path / "cribboard.toml"
    if text is not None:
        plan.write_text(text)
    settings.write_text(f'simulate = true\nboard = "{plan}"\n')
    done = CliRunner().invoke(main, ["run", "--settings", str(settings), "--state-folder", str(tmp_path / "state")])
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit)
    assert done.stderr.startswith(f"{settings}, line 2, board: expected a board, got {plan}: ")
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_house_rules_that_do_not_go_together_are_named_at_the_start_and_do_not_stop_it(tmp_path: Path) -> None:
    settings = tmp_path / "cribboard.toml"
    settings.write_text("kit = 'sensing'\n[options]\nfalse_claim = 'none'\n")
    arguments = ["run", "--demo", "--settings", str(settings), "--state-folder", str(tmp_path / "state")]
    warning, fault = CliRunner().invoke(main, arguments).stderr.splitlines()
    assert "false_claim=none changes nothing beside muggins_mode=off" in warning
    assert fault.startswith("--demo: expected a board on the page")


def test_a_start_that_fails_leaves_the_port_free(tmp_path: Path) -> None:
    with closing(listen("127.0.0.1", 0, 1)) as free:
        port = free.getsockname()[1]
    settings = load_settings(None, {}, {"state_folder": tmp_path, "board": "missing.toml", "port": port})
    with pytest.raises(NoSuchPlan) as error:  # its traceback keeps whatever is still open
        build_app(settings, insist_on_port=True)
    listen(settings.address, settings.port, 1).close()
    del error
