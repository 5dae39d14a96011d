"""The tree of commands: lists import nothing, a broken command leaves the others, mistyped names get suggestions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import firmware_host.cli
from firmware_host.cli import COMMANDS, main
from firmware_host.cli.command_group import CommandGroup, LazyCommand

IMPORTED_BY = """
import sys
from firmware_host.cli import main
try:
    main(sys.argv[1:], prog_name="cribboard")
finally:
    print(*sys.modules, file=sys.stderr)
"""
LOADED_FOR_THE_LIST = {"firmware_host.cli", "firmware_host.cli.command_group"}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="cribboard")


def loaded(command: click.Command) -> click.Command:
    return command.load() if isinstance(command, LazyCommand) else command


def tree(path: tuple[str, ...] = (), command: click.Command = main) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that lead to it, parents first."""
    yield path, command
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from tree((*path, name), loaded(each))


TREE = tuple(tree())
GROUPS = [pytest.param(path, group, id=" ".join(path)) for path, group in TREE if isinstance(group, click.Group)]
LAZY = [
    pytest.param(each, id=each.where) for _, group in TREE if isinstance(group, click.Group)
    for each in group.commands.values() if isinstance(each, LazyCommand)
]  # fmt: skip


@pytest.mark.parametrize("arguments", [[], ["--help"], ["--version"], ["tea"]], ids=str)
def test_the_list_of_commands_imports_none_of_them(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTED_BY, *arguments], capture_output=True, text=True)
    ours = {module for module in done.stderr.splitlines()[-1].split() if module.startswith("firmware_host.")}
    assert ours == LOADED_FOR_THE_LIST


def test_the_list_of_the_club_imports_none_of_its_commands() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTED_BY, "club", "--help"], capture_output=True, text=True)
    modules = done.stderr.splitlines()[-1].split()
    assert {module for module in modules if module.startswith("firmware_host.cli.club")} == {
        "firmware_host.cli.club",
        "firmware_host.cli.club_session",
    }
    assert "standings" in done.stdout


def test_every_command_of_the_folder_is_listed() -> None:
    folder = Path(firmware_host.cli.__path__[0])
    defined = {file.stem for file in folder.glob("*.py") if "def command(" in file.read_text(encoding="utf-8")}
    assert defined == COMMANDS.keys()


@pytest.mark.parametrize("command", LAZY)
def test_the_sentence_in_the_list_is_the_only_one(command: LazyCommand) -> None:
    """A second one in the module of the command could differ, and nobody would see it."""
    assert command.load().short_help is None
    assert command.load().name == command.name
    assert command.short_help and command.short_help.endswith(".")


@pytest.mark.parametrize(("path", "group"), GROUPS)
def test_help_lists_each_subcommand_in_one_whole_line(path: tuple[str, ...], group: click.Group) -> None:
    listed = run(*path, "--help").stdout.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == sorted(group.commands)
    assert [line for line in listed if line.endswith("...") or not line.endswith(".") or len(line) > 80] == []


@pytest.mark.parametrize(("path", "group"), GROUPS)
def test_a_group_without_arguments_prints_its_help(path: tuple[str, ...], group: click.Group) -> None:
    if not group.invoke_without_command:
        done = run(*path)
        assert (done.exit_code, done.stdout, done.stderr) == (0, run(*path, "--help").stdout, "")


@pytest.mark.parametrize(("path", "group"), GROUPS)
def test_a_mistyped_command_of_a_group_gets_a_suggestion(path: tuple[str, ...], group: click.Group) -> None:
    for name in group.commands:
        done = run(*path, f"{name}x")
        assert done.exit_code == 2
        assert f"Did you mean {name!r}? (see {' '.join(('cribboard', *path))} --help)" in done.stderr


def test_one_command_that_cannot_be_imported_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "firmware_host.cli.draw", None)
    done = run("draw", "classic-61")
    assert done.exit_code == 1 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("cribboard draw cannot be imported, other commands may work (ModuleNotFoundError: ")
    assert run("--help").exit_code == 0 and "draw" in run("--help").stdout
    assert run("count", "5H", "5S", "5D", "JC", "5C").exit_code == 0


@pytest.mark.parametrize("text", ["1 / 0", "import no_such_module", "def broken(", "command = 5"])
def test_a_broken_module_is_named_with_its_fault(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_command.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken_command", raising=False)
    group = CommandGroup("group", commands=[LazyCommand("broken", "broken_command:command", "Break.")])
    assert CliRunner().invoke(group, ["--help"]).exit_code == 0
    done = CliRunner().invoke(group, ["broken", "--help"])
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit)
    assert "group broken cannot be imported" in done.stderr and "Error: " in done.stderr


def test_names_of_commands_are_completed_without_importing_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in COMMANDS:
        monkeypatch.setitem(sys.modules, f"firmware_host.cli.{name}", None)
    context = click.Context(main)
    assert [item.value for item in main.shell_complete(context, "re")] == ["referee", "replay", "report", "restore"]
