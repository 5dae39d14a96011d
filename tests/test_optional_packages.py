"""A message about a missing package names a command that works where the program was installed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_host.doctor.options import PROGRAMS
from firmware_host.optional_packages import DEBIAN_PACKAGES, Installation, Option, install_command, requirements_of
from release.pin_packages import OPTIONS

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "hardware" / "installer" / "options.sh"


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    """An environment that pip filled, used from another folder."""
    environment = tmp_path / "my environment"
    environment.mkdir()
    return Installation(environment, environment / "bin/python", environment / "lib", Path("/nowhere"))


def test_an_installed_board_has_the_installer_of_its_version(installation: Installation) -> None:
    for environment in ("/opt/cribboard/venv", "/opt/cribboard/versions/0.2.0-abc"):
        board = replace(installation, environment=Path(environment))
        assert [board.command(option) for option in (Option.MQTT, Option.VOICE, Option.CLUB)] == [
            "sudo cribboard-install --with mqtt",
            "sudo cribboard-install --with voice",
            "sudo cribboard-install --with club",
        ]


def test_a_checkout_installs_its_own_extra(installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    checkout = replace(installation, sources=tmp_path, current=tmp_path, python=tmp_path / ".venv/bin/python")
    assert checkout.command(Option.MQTT) == ".venv/bin/python -m pip install -e '.[mqtt]'"
    away = replace(checkout, current=Path("/nowhere"))
    assert away.command(Option.MQTT) == f"{tmp_path}/.venv/bin/python -m pip install -e '{tmp_path}[mqtt]'"


def test_pip_installs_packages_by_their_own_names(installation: Installation) -> None:
    assert installation.command(Option.MQTT) == f"'{installation.python}' -m pip install 'paho-mqtt<3,>=2.1'"


def test_an_environment_of_uv_has_no_pip(installation: Installation) -> None:
    without = replace(installation, has_pip=False, python=Path("/env/bin/python"))
    assert without.command(Option.HTTPS) == "uv pip install --python /env/bin/python 'cryptography>=38'"


def test_pipx_adds_packages_to_the_environment_of_the_program(installation: Installation) -> None:
    (installation.environment / "pipx_metadata.json").touch()
    assert installation.command(Option.MQTT) == "pipx inject cribboard 'paho-mqtt<3,>=2.1'"


def test_a_package_that_is_always_needed_is_repaired_by_the_installer_or_by_pip(installation: Installation) -> None:
    board = replace(installation, environment=Path("/opt/cribboard/venv"))
    assert board.repair_command("gpiozero", "2.0.1") == "sudo cribboard-install"
    assert installation.repair_command("gpiozero", "2.0.1").endswith("/python' -m pip install 'gpiozero>=2.0.1'")


def test_programs_come_from_debian(installation: Installation) -> None:
    assert installation.command(Option.VOICE) == "sudo apt install espeak-ng alsa-utils"
    assert installation.command(Option.CLUB).endswith(" && sudo apt install mosquitto")


def test_the_tests_run_in_a_checkout() -> None:
    assert re.search(r" -e .*\[mqtt]'?$", install_command(Option.MQTT))


def test_an_option_has_the_same_name_and_packages_everywhere() -> None:
    (known,) = re.findall(r'^KNOWN_OPTIONS="(.*)"$', SCRIPTS.read_text(), re.MULTILINE)
    assert known.split() == [option.value for option in Option]
    packages = dict(re.findall(r"^    (\w+)\) printf '(.*)' ;;$", SCRIPTS.read_text(), re.MULTILINE))
    assert packages == {option.value: " ".join(names) for option, names in DEBIAN_PACKAGES.items()}
    assert {option.value for option in Option if requirements_of(option)} == set(OPTIONS)
    assert PROGRAMS.keys() == DEBIAN_PACKAGES.keys()


def test_no_file_names_the_program_as_a_package_of_an_index() -> None:
    """Nobody has registered `cribboard` there: whoever does could be anybody."""
    texts = [file for end in ("py", "md", "sh", "toml", "html") for file in ROOT.rglob(f"*.{end}")]
    ours = [file for file in texts if not {".venv", "build", "node_modules"} & set(file.relative_to(ROOT).parts)]
    named = re.compile(r"(?:pip|pipx|uv tool) install (?:-[-\w]+ )*['\"]?cribboard")
    assert [str(file) for file in ours if named.search(file.read_text(encoding="utf-8"))] == []
