"""The program needs no package that a plain install leaves out: neither an extra nor a tool of the repository."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.test_imports import MODULES

OURS = ("firmware_host", "board_drivers", "web_panel")
OF_THE_REPOSITORY = ["hardware", "release", "tests"]
"""The packages of a checkout that no wheel has."""

RUN = """
import sys
sys.modules.update(dict.fromkeys(sys.argv.pop(1).split()))
from firmware_host.cli import main
main()
"""
IMPORT = """
import sys
from importlib import import_module
hidden, *names = sys.argv[1:]
sys.modules.update(dict.fromkeys(hidden.split()))
for name in names:
    import_module(name)
"""


def installed_with(name: str) -> frozenset[str]:
    """The distribution and all that it requires here, without extras."""
    found = set[str]()
    remaining = [name]
    while remaining:
        each = canonicalize_name(remaining.pop())
        if each not in found:
            found.add(each)
            needed = map(Requirement, distribution(each).requires or ())
            remaining += [one.name for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    return frozenset(found)


def left_out() -> list[str]:
    """The top-level modules of this environment that a plain install of the program does not have."""
    plain = installed_with("cribboard")
    others = {
        module
        for module, owners in packages_distributions().items()
        if module.isidentifier() and not plain & set(map(canonicalize_name, owners))
    }
    return sorted({*others, *OF_THE_REPOSITORY} - {*OURS})


def test_the_tools_of_the_tests_are_left_out_of_a_plain_install() -> None:
    assert {"numpy", "shapely", "pytest", "cryptography", "psycopg"} <= set(left_out())
    assert not {"flask", "jinja2", "PIL", "click"} & set(left_out())


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["draw", "--help"], ["draw", "--out", "drawn"], ["draw", "classic-61", "--out", "drawn"]],
    ids=" ".join,
)
def test_command_runs_after_a_plain_install(arguments: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-c", RUN, " ".join(left_out()), *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_subcommand_and_the_application_import_after_a_plain_install() -> None:
    """Packages of the extras are imported where they are used."""
    names = [name for name, _ in MODULES if name.startswith("firmware_host.cli.")]
    command = [sys.executable, "-c", IMPORT, " ".join(left_out()), *names, "firmware_host.app"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and names, done.stderr
