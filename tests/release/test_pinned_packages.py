"""The packages that the installer installs are pinned by hash, and are those that the tests run with."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from release.pin_packages import (
    FOLDER,
    OPTIONS,
    TARGETS,
    VERSIONS,
    Target,
    Wheel,
    markers_of,
    normal_name,
    requirements_file,
)
from release.sbom import bill_of_materials, read_requirements

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
FILES = ("program", "build", "lgpio", *OPTIONS)
OF_ANOTHER_PYTHON = {"adafruit-lgpio"}


def pinned(name: str) -> dict[str, str]:
    return {package.name: package.version for package in read_requirements(FOLDER / f"{name}.txt")}


def names_in(requirements: list[str]) -> set[str]:
    return {normal_name(re.split(r"[^A-Za-z0-9._-]", text)[0]) for text in requirements}


def test_every_dependency_is_pinned() -> None:
    assert names_in(PROJECT["project"]["dependencies"]) <= pinned("program").keys()
    assert names_in(PROJECT["project"]["optional-dependencies"]["pi"]) == pinned("lgpio").keys()


@pytest.mark.parametrize("option", OPTIONS)
def test_every_package_of_an_option_is_pinned(option: str) -> None:
    assert names_in(PROJECT["project"]["optional-dependencies"][option]) <= pinned(option).keys()


def test_a_package_for_one_python_is_looked_for_and_installed_there_alone() -> None:
    older, newer = Target("3.11", "aarch64"), Target("3.13", "aarch64")
    requirement = "lgpio>=0.2.2; python_version < '3.13'"
    assert older.needs(requirement) and not newer.needs(requirement) and newer.needs("flask>=3")
    text = requirements_file("Test", [Wheel("lgpio", "0.2.2", "a" * 64)], markers_of([requirement]))
    assert 'lgpio==0.2.2 ; python_version < "3.13" \\\n    --hash=sha256:aaa' in text


def test_the_build_backend_is_pinned() -> None:
    backend, *others = PROJECT["build-system"]["requires"]
    assert backend == f"hatchling=={pinned('build')['hatchling']}" and not others


@pytest.mark.parametrize("name", FILES)
def test_pinned_versions_are_those_of_the_tests(name: str) -> None:
    tested = dict(line.split("==") for line in VERSIONS.read_text().split())
    tested = {normal_name(package): version for package, version in tested.items()}
    different = {package for package, version in pinned(name).items() if tested.get(package, version) != version}
    assert not different, "run: make lock"
    assert pinned(name).keys() - tested.keys() <= {"setuptools"} | OF_ANOTHER_PYTHON, "pip freeze leaves them out"


def test_packages_with_compiled_code_have_a_wheel_for_each_target() -> None:
    hashes = {package.name: package.hashes for package in read_requirements(FOLDER / "program.txt")}
    assert {len(hashes[name]) for name in ("pillow", "cbor2", "markupsafe")} == {len(TARGETS)}


def test_two_versions_of_a_package_are_refused() -> None:
    with pytest.raises(ValueError, match="expected one version"):
        requirements_file("Test", [Wheel("flask", "3.0", "a" * 64), Wheel("flask", "3.1", "b" * 64)])


def test_an_entry_without_hash_is_refused(tmp_path: Path) -> None:
    (tmp_path / "program.txt").write_text("# Packages\nflask==3.1\n")
    with pytest.raises(ValueError, match="expected name==version --hash"):
        list(read_requirements(tmp_path / "program.txt"))


def test_bill_of_materials_lists_every_package_with_its_hashes() -> None:
    bill = bill_of_materials("9.9", "2026-01-01T00:00:00+00:00", {"cribboard-9.9.tar.gz": "c" * 64})
    components = bill["components"]
    assert isinstance(components, list)
    listed = {each["name"]: each for each in components}
    assert listed.keys() == {name for file in FILES for name in pinned(file)}
    assert all(each["hashes"] for each in components)
    assert (listed["flask"]["scope"], listed["paho-mqtt"]["scope"]) == ("required", "optional")
    assert listed["flask"]["licenses"] and listed["hatchling"]["scope"] == "excluded"
    dependencies = bill["dependencies"]
    assert isinstance(dependencies, list)
    ours = dependencies[0]["dependsOn"]
    assert f"pkg:pypi/flask@{pinned('program')['flask']}" in ours
    assert bill == bill_of_materials("9.9", "2026-01-01T00:00:00+00:00", {"cribboard-9.9.tar.gz": "c" * 64})
