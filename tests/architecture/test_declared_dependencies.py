"""The product imports the standard library, itself, and what its declared dependencies install; nothing else.

The environment of the tests has many packages that a plain installation lacks. So the imports are read from the source,
and the program is run with an import hook that refuses every other package.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from firmware_host.cli import COMMANDS
from tests.architecture.test_imports import MODULES, imports_of

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DECLARED: list[str] = PROJECT["dependencies"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

PRODUCT = ("firmware_host", "board_drivers", "web_panel")
FILES = dict(MODULES)

EXTRAS_OF: dict[str, tuple[str, ...]] = {
    "board_drivers.header": ("pi",),
    "firmware_host.club_server.accounts": ("club",),
    "firmware_host.https.authority": ("https",),
    "firmware_host.https.signing": ("https",),
    "firmware_host.league": ("league",),
    "firmware_host.telemetry.link": ("mqtt",),
}
"""Module or package -> the extras whose packages it may import."""
IMPORTED_WITH_THEIR_EXTRA = {
    "firmware_host.https.authority",
    "firmware_host.https.signing",
    "firmware_host.league.authority",
}
"""Modules that need their extra when they are imported; the others, when they are used."""

WITH_DECLARED_ALONE = """
import json
import sys
from importlib import import_module

allowed, modules = json.load(sys.stdin)


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def walk(words, command):
    done = CliRunner().invoke(main, [*words, "--help"])
    if done.exit_code:
        failures[" ".join(words)] = done.output or repr(done.exception)
        return
    command = command.load() if isinstance(command, LazyCommand) else command
    for name, each in getattr(command, "commands", {}).items():
        walk([*words, name], each)


sys.meta_path.insert(0, Refuse())
failures = {}
for module in modules:
    try:
        import_module(module)
    except ModuleNotFoundError as fault:
        failures[module] = fault.name

from click.testing import CliRunner
from firmware_host.cli import main
from firmware_host.cli.command_group import LazyCommand

for name, command in main.commands.items():
    walk([name], command)
print(json.dumps(failures))
"""


FOR_MYPY = "_typeshed"
"""A package that exists for type checkers only."""
IN_PRODUCT = tuple(module for module in FILES if module.partition(".")[0] in PRODUCT)


@cache
def installed() -> Mapping[str, list[str]]:
    """Top-level module -> the packages that have it."""
    return packages_distributions()


@cache
def packages_of(requirements: tuple[str, ...]) -> frozenset[str]:
    """The top-level modules that these requirements install here, with all that those require."""
    found = set[tuple[str, str]]()
    waiting = [Requirement(text) for text in requirements]
    modules = set[str]()
    while waiting:
        requirement = waiting.pop()
        for extra in {"", *requirement.extras} - {extra for name, extra in found if name == requirement.name}:
            found.add((requirement.name, extra))
            try:
                needed = map(Requirement, requires(requirement.name) or ())
            except PackageNotFoundError:  # not for this computer, such as lgpio; its module has its name
                modules.add(requirement.name)
                continue
            waiting += [each for each in needed if each.marker is None or each.marker.evaluate({"extra": extra})]
    names = {normal_name(name) for name, _ in found}
    return frozenset(modules).union(
        module for module, packages in installed().items() if names & set(map(normal_name, packages))
    )


def normal_name(name: str) -> str:
    """A package name as pip compares it."""
    return re.sub("[-_.]+", "-", name).lower()


def is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def undeclared(module: str) -> set[str]:
    """The packages that a module imports anywhere, and that neither the dependencies nor its extras install."""
    extras = [extra for package, names in EXTRAS_OF.items() if is_in(module, package) for extra in names]
    allowed = {*sys.stdlib_module_names, *PRODUCT, FOR_MYPY, *packages_of(tuple(DECLARED))}
    allowed = allowed.union(*(packages_of(tuple(EXTRAS[extra])) for extra in extras))
    return {name.partition(".")[0] for name in imports_of(module, FILES[module])} - allowed


def behind(module: str) -> set[str]:
    """All modules of ours that a module imports anywhere, directly or through others, and itself."""
    reached, waiting = set[str](), [module]
    while waiting:
        name = waiting.pop()
        while name not in FILES:  # a name in a module
            name = name.rpartition(".")[0]
        if name not in reached:
            reached.add(name)
            parents = [name.rpartition(".")[0]] if "." in name else []
            imported = imports_of(name, FILES[name])
            waiting += [each for each in (*parents, *imported) if each.partition(".")[0] in PRODUCT]
    return reached


@pytest.mark.parametrize("package", PRODUCT)
def test_the_product_imports_declared_packages_alone(package: str) -> None:
    found = {module: undeclared(module) for module in FILES if is_in(module, package)}
    assert {module: names for module, names in found.items() if names} == {}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_behind_a_command_imports_declared_packages_alone(command: str) -> None:
    found = {module: undeclared(module) for module in behind(f"firmware_host.cli.{command}")}
    assert {module: names for module, names in found.items() if names} == {}


def test_each_named_extra_is_used() -> None:
    unused = []
    for package, extras in EXTRAS_OF.items():
        imported = {
            name.partition(".")[0]
            for module in FILES
            if is_in(module, package)
            for name in imports_of(module, FILES[module])
        }
        unused += [
            (package, extra)
            for extra in extras
            if not imported & (packages_of(tuple(EXTRAS[extra])) - packages_of(tuple(DECLARED)))
        ]
    assert unused == []


@pytest.fixture(scope="module")
def failures() -> dict[str, str]:
    """What cannot run with the declared dependencies alone: module -> the package it lacks, command -> its error."""
    allowed = [*sys.stdlib_module_names, *PRODUCT, *packages_of(tuple(DECLARED))]
    modules = [module for module in IN_PRODUCT if not module.endswith("__main__")]
    done = subprocess.run(
        [sys.executable, "-c", WITH_DECLARED_ALONE],
        cwd=ROOT,
        input=json.dumps([allowed, modules]),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_modules_that_need_an_extra_are_imported_with_it_alone(failures: dict[str, str]) -> None:
    lacking = {module: failures.get(module) for module in IMPORTED_WITH_THEIR_EXTRA}
    assert lacking == dict.fromkeys(IMPORTED_WITH_THEIR_EXTRA, "cryptography")


@pytest.mark.parametrize("package", sorted({name.rpartition(".")[0] or name for name in IN_PRODUCT}))
def test_every_module_is_imported_with_the_declared_packages_alone(package: str, failures: dict[str, str]) -> None:
    lacking = {name: lacks for name, lacks in failures.items() if name.rpartition(".")[0] == package}
    assert {name: lacks for name, lacks in lacking.items() if name not in IMPORTED_WITH_THEIR_EXTRA} == {}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_works_with_the_declared_packages_alone(command: str, failures: dict[str, str]) -> None:
    assert {words: fault for words, fault in failures.items() if words.split()[0] == command} == {}


@pytest.mark.parametrize("requirements", [DECLARED, *EXTRAS.values()], ids=["dependencies", *EXTRAS])
def test_no_requirement_stands_twice_in_a_list(requirements: list[str]) -> None:
    names = [normal_name(Requirement(line).name) for line in requirements]
    assert len(set(names)) == len(names)
