"""House rules that do not go together are refused, with the hint, wherever somebody chooses them.

Every need of the table is tried at every entry. What was chosen before, in a settings file, is left out instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.config.settings_sources import sources_of
from firmware_host.cribbage.compatibility import NEEDS, Need, Verdict
from firmware_host.cribbage.rule_errors import OptionsClash
from firmware_host.cribbage.variants import VARIANTS, options_of, rules_for
from firmware_host.ui.keys.menus import with_option
from tests.cribbage.test_compatibility import refusals_of
from tests.web_panel.conftest import Rig, json_of

Choice = tuple[Need, str, dict[str, Any]]
"""A need, and the variant and options that it refuses."""


@cache
def choices() -> tuple[Choice, ...]:
    """For each need one choice in which it is what the refusal names."""
    return tuple(next(_choices_of(need)) for need in NEEDS)


def _choices_of(need: Need) -> Iterator[Choice]:
    for variant, options in refusals_of(need):
        try:
            rules_for(variant, options)
        except OptionsClash as clash:
            if clash.sentence == need.sentence and str(clash).startswith(f"{need.option}="):
                yield need, variant, dict(options)


def kind_of(need: Need) -> str:
    return "pointless_option" if need.verdict is Verdict.POINTLESS else "options_clash"


def test_page_and_api_refuse_a_new_game() -> None:
    rig = Rig()
    for need, variant, options in choices():
        names = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"][: int(options.get("players", VARIANTS[variant].players))]
        answer = rig.post("/commands/new-game", {"variant": variant, "names": names, "options": options})
        error = json_of(answer)
        assert answer.status_code == 409 and error["kind"] == kind_of(need), (need, error)
        assert error["localized"] == need.sentence
    assert rig.host.snapshot.table is None
    rig.host.stop()


def test_settings_page_refuses_a_change(tmp_path: Path) -> None:
    file = tmp_path / "cribboard.toml"
    file.write_text("# ours\n")
    rig = Rig(settings_file=file)
    for need, variant, options in choices():
        answer = rig.post("/settings", {"changes": {"variant": variant, "options": options}})
        assert answer.status_code >= 400 and need.sentence in answer.text, (need, answer.text)
    assert file.read_text() == "# ours\n"
    rig.host.stop()


def test_a_settings_file_is_used_without_them() -> None:
    for need, variant, options in choices():
        settings = sources_of(None, {}, {"variant": variant, "options": options}).load()
        found = settings.rules_with()
        assert need in {objection.need for objection in found.left_out}
        assert need.option not in options_of(found.rules)


def test_commands_and_lines_of_json_refuse_them() -> None:
    lines = [
        {"cards": ["5H", "5S", "5D", "JC"], "starter": "5C", "variant": variant, "options": options}
        for _, variant, options in choices()
    ]
    result = CliRunner().invoke(main, ["count", "--jsonl"], input="\n".join(map(json.dumps, lines)))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("error") for answer in answers] == [kind_of(need) for need, _, _ in choices()]
    for need, variant, options in choices():
        given = [f"--option={name}={value}" for name, value in options.items() if isinstance(value, str)]
        if len(given) < len(options):
            continue  # a list is for settings and lines of JSON
        for command in (["count", "5H 5S 5D JC 5C"], ["advise", "5H 5S 5D JC 5C 4C", "--crib", "own"]):
            refused = CliRunner().invoke(main, [*command, f"--variant={variant}", *given])
            assert refused.exit_code == 2 and need.option in refused.output, (need, refused.output)


def test_club_refuses_a_night_with_them(tmp_path: Path) -> None:
    for need, variant, options in choices():
        given = [f"--option={name}={value}" for name, value in options.items() if isinstance(value, str)]
        if len(given) < len(options):
            continue
        command = ["club", "create", f"--variant={variant}", *given]
        refused = CliRunner().invoke(main, command, env={"CRIBBOARD_STATE_FOLDER": str(tmp_path)})
        assert refused.exit_code == 2 and refused.output.startswith(f"{need.option}="), (need, refused.output)
        assert need.sentence in refused.output


def test_menus_of_the_board_refuse_them() -> None:
    """The menus change one option of rules that go together."""
    for need, variant, options in choices():
        if need.other == "variant" or need.option == "skunk_lines":
            continue
        rules = rules_for(variant, {name: value for name, value in options.items() if name != need.option})
        with pytest.raises(OptionsClash) as refused:
            with_option(rules, need.option, options[need.option])
        assert refused.value.sentence == need.sentence
