"""The options of the program, and the command that installs one on this computer.

A plain install leaves out what most boards do not need. Every message about a missing package names `install_command`,
which works here. How the program was installed is seen from where it runs:

| installed by | seen by | command for `mqtt` |
|---|---|---|
| `hardware/install.sh` | the environment is in /opt/cribboard | `sudo cribboard-install --with mqtt` |
| a checkout | `pyproject.toml` beside the package | `.venv/bin/python -m pip install -e '.[mqtt]'` |
| pipx | `pipx_metadata.json` in the environment | `pipx inject cribboard 'paho-mqtt<3,>=2.1'` |
| pip, uv | none of these | `.../python -m pip install 'paho-mqtt<3,>=2.1'` |

The name `cribboard` is never looked up in a package index: anybody could register it there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from enum import Enum
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

INSTALLED_BOARD = Path("/opt/cribboard")
"""Where `hardware/install.sh` makes the environments."""
SOURCES = Path(__file__).parents[1]
"""The folder of the checkout; site-packages where the program was installed otherwise."""


_WITHOUT_QUOTES = str.maketrans("", "", " '\"")


class Option(Enum):
    """A part of the program that needs more packages. The values are the names for the installer, and of the extras."""

    MQTT = "mqtt"
    HTTPS = "https"
    VOICE = "voice"
    CLUB = "club"
    LEAGUE = "league"


DEBIAN_PACKAGES = {Option.VOICE: ("espeak-ng", "alsa-utils"), Option.CLUB: ("mosquitto",)}
"""Programs of an option, as Debian's packages."""


class Installation(Struct, frozen=True):
    """How the program runs: its environment, its interpreter, its sources and the current folder.

    `has_pip` is whether the interpreter has the module pip; an environment of uv has none.
    """

    environment: Path
    python: Path
    sources: Path
    current: Path
    has_pip: bool = True

    @classmethod
    def here(cls) -> Installation:
        """That of this process."""
        has_pip = find_spec("pip") is not None
        return cls(Path(sys.prefix), Path(sys.executable), SOURCES, Path(os.path.abspath(".")), has_pip)

    @property
    def is_board(self) -> bool:
        """Whether `hardware/install.sh` made it."""
        return self.environment.is_relative_to(INSTALLED_BOARD)

    def command(self, option: Option) -> str:
        """A command line that installs the option here."""
        if self.is_board:
            return f"sudo cribboard-install --with {option.value}"
        commands = [self._pip(option)] if option is not Option.VOICE else []
        if option in DEBIAN_PACKAGES:
            commands.append(f"sudo apt install {' '.join(DEBIAN_PACKAGES[option])}")
        return " && ".join(commands)

    def repair_command(self, package: str, minimum: str) -> str:
        """A command line that installs a package that the program always needs, in this version or a later one."""
        return "sudo cribboard-install" if self.is_board else f"{self._installer} {_quoted(f'{package}>={minimum}')}"

    def _pip(self, option: Option) -> str:
        if (self.sources / "pyproject.toml").is_file():
            where = "." if self.current == self.sources else str(self.sources)
            return f"{self._installer} -e {_quoted(f'{where}[{option.value}]')}"
        quoted = _quoted(*requirements_of(option))
        if (self.environment / "pipx_metadata.json").is_file():
            return f"pipx inject cribboard {quoted}"
        return f"{self._installer} {quoted}"

    @property
    def _installer(self) -> str:
        near = self.python.is_relative_to(self.current)
        python = _quoted(str(self.python.relative_to(self.current) if near else self.python))
        return f"{python} -m pip install" if self.has_pip else f"uv pip install --python {python}"


def install_command(option: Option) -> str:
    """A command line that installs the option on this computer."""
    return Installation.here().command(option)


def requirements_of(option: Option) -> Sequence[str]:
    """The Python packages of an option with their bounds, as `pip install` takes them; empty if it has none, or where
    the program runs without being installed."""
    from importlib import metadata

    try:
        stated = metadata.requires("cribboard") or ()
    except metadata.PackageNotFoundError:
        return ()
    parted = [text.partition(";") for text in stated]
    extra = f"extra=={option.value}"
    return [package.strip() for package, _, marker in parted if marker.translate(_WITHOUT_QUOTES) == extra]


def _quoted(*words: str) -> str:
    """The words as a shell reads them."""
    from shlex import join

    return join(words)
