"""The wheel works outside the checkout, has only what the program uses, and passes the checks of the package index."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from collections import Counter
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest

from firmware_host.config.board_plans import plan_ids
from firmware_host.doctor.smoke import smoke
from release.fresh_environment import install_wheel

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an archive (sdist) of the checkout, and of the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (file,) = built.glob("cribboard-*.whl")
    return file


@pytest.fixture(scope="module")
def packed(wheel: Path) -> list[str]:
    """The names of the files in the wheel, without its metadata."""
    with ZipFile(wheel) as archive:
        return [name for name in archive.namelist() if ".dist-info/" not in name]


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """The folder in which the wheel was installed."""
    installed = tmp_path_factory.mktemp("installed")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(installed)]
    subprocess.run([*install, str(wheel)], check=True, capture_output=True)
    return installed


def run_installed(unpacked: Path, tmp_path: Path, *arguments: str) -> str:
    """Run Python outside the checkout, with the installed packages first on its path; returns its output."""
    environ = os.environ | {"PYTHONPATH": str(unpacked), "PYTHONSAFEPATH": "1"}
    done = subprocess.run([sys.executable, *arguments], cwd=tmp_path, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_site_packages_get_only_our_packages(packed: list[str]) -> None:
    """`hardware` is the top-level package of another project."""
    assert {name.partition("/")[0] for name in packed} == {"firmware_host", "board_drivers", "web_panel"}
    assert {f"{package}/py.typed" for package in ("firmware_host", "board_drivers", "web_panel")} <= set(packed)


def test_wheel_has_only_files_that_the_program_reads(packed: list[str]) -> None:
    kinds = Counter(Path(name).suffix for name in packed)
    assert not {".po", ".md", ".webp", ".zip", ".tsv", ".sh", ".c"} & kinds.keys()
    assert kinds[".mo"] == len(list((ROOT / "firmware_host" / "translations").iterdir()))


def test_wheel_has_all_measures_of_the_hardware(packed: list[str]) -> None:
    folder = "board_drivers/hardware/"
    tables = {file.relative_to(ROOT / "hardware").as_posix() for file in (ROOT / "hardware").rglob("*.toml")}
    tables -= {"kicad/architectures.toml"}  # read where circuit boards are made, not by the program
    spaces = {f"kicad/{board}-space.csv" for board in plan_ids()}
    others = {"boot_config.txt", "system/cribboard.service"}
    expected = tables - {"system/cribboard.toml"} | others | spaces
    assert {name.removeprefix(folder) for name in packed if name.startswith(folder)} == expected


def test_metadata_are_complete(metadata: Message) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (metadata["Name"], metadata["Version"]) == (project["name"], project["version"])
    assert (metadata["License-Expression"], metadata["License-File"]) == ("MIT", "LICENSE")
    assert metadata["Author"] == "cribboard contributors" and metadata["Keywords"] and metadata["Summary"]
    classifiers = metadata.get_all("Classifier", [])
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)} <= set(classifiers)
    assert not [each for each in classifiers if each.startswith("License ::")], "License-Expression replaces them"


def test_description_has_no_link_into_the_repository(metadata: Message) -> None:
    description = metadata.get_payload()
    assert metadata["Description-Content-Type"] == "text/markdown" and isinstance(description, str)
    assert description.startswith("# cribboard")
    assert [target for target in re.findall(r"\]\(([^)]*)\)", description) if not target.startswith("https://")] == []


def test_archive_and_wheel_pass_the_checks_of_the_package_index(built: Path) -> None:
    check = [sys.executable, "-m", "twine", "--no-color", "check", "--strict", *map(str, sorted(built.iterdir()))]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.count("PASSED") == 2, done.stdout


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="NOT TESTED HERE: this is no git checkout")
def test_archive_has_what_the_tests_need(built: Path) -> None:
    (archive,) = built.glob("cribboard-*.tar.gz")
    with tarfile.open(archive) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    committed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    outside = {".ci", ".github", ".gitignore"}
    left_out = {name for name in committed.splitlines() if name.partition("/")[0] not in outside} - names
    assert left_out == set()


def test_installer_copies_all_that_the_wheel_is_built_from(wheel: Path, tmp_path: Path) -> None:
    script = f". hardware/installer/environment.sh && sources | xargs cp --parents -t {tmp_path}"
    subprocess.run(["bash", "-c", script], cwd=ROOT, check=True)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(tmp_path)]
    subprocess.run(build, check=True, capture_output=True)
    with ZipFile(wheel) as expected, ZipFile(tmp_path / wheel.name) as got:
        assert got.namelist() == expected.namelist()


def test_installed_packages_are_imported(unpacked: Path, tmp_path: Path) -> None:
    where = run_installed(unpacked, tmp_path, "-c", "import firmware_host; print(firmware_host.__file__)")
    assert where.startswith(str(unpacked))


def test_wheel_has_the_board_plans(unpacked: Path, tmp_path: Path) -> None:
    script = "from firmware_host.config.board_plans import *; print(*(load_plan(p).sensor_count for p in plan_ids()))"
    assert run_installed(unpacked, tmp_path, "-c", script).split() == ["125", "245", "367", "489", "126"]


def test_wheel_has_the_wiring(unpacked: Path, tmp_path: Path) -> None:
    script = "from board_drivers.pins import header_pins; print(header_pins().bcm('sensor_latch'))"
    assert run_installed(unpacked, tmp_path, "-c", script).split() == ["25"]


def test_installed_program_draws_templates(unpacked: Path, tmp_path: Path) -> None:
    run_installed(unpacked, tmp_path, "-m", "firmware_host", "draw", "classic-61", "--out", "drawn")
    assert (tmp_path / "drawn" / "classic-61" / "drill-a4.pdf").read_bytes().startswith(b"%PDF")


def test_installed_program_counts_a_hand(unpacked: Path, tmp_path: Path) -> None:
    output = run_installed(unpacked, tmp_path, "-m", "firmware_host", "count", "5H 5S 5D JC", "5C", "--json")
    assert '"total": 29' in output


def test_whole_application_starts(unpacked: Path, tmp_path: Path) -> None:
    """Host, display, web panel and its page, from the wheel alone."""
    script = """
from pathlib import Path
from threading import Thread
from urllib.request import urlopen
from firmware_host.app import build_app
from firmware_host.config.settings_sources import load_settings
running = build_app(load_settings(None, {}, {"state_folder": Path("state"), "port": 18080}))
Thread(target=running.serve, daemon=True).start()
print(running.host.snapshot.prompt, urlopen(running.address).read().decode())
running.stop()
"""
    output = run_installed(unpacked, tmp_path, "-c", script)
    assert output.startswith("ENTER: new game") and "</html>" in output


def test_everything_works_with_the_declared_dependencies_alone(wheel: Path, tmp_path: Path) -> None:
    """In a fresh environment. Needs the network."""
    assert smoke(install_wheel(wheel, tmp_path / "environment")) == []


def test_the_installed_smoke_finds_the_program_beside_its_python(wheel: Path, tmp_path: Path) -> None:
    program = install_wheel(wheel, tmp_path / "environment")
    program.write_text("#!/bin/false\n")
    done = subprocess.run(
        [program.with_name("python"), "-m", "firmware_host.doctor.smoke"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1 and f"0 of 8 commands work: {program}" in done.stdout
