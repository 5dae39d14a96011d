"""Installs a wheel with its declared dependencies alone, in an environment of its own. Needs the network."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path


def install_wheel(wheel: Path, environment: Path) -> Path:
    """Make the environment with the Python that runs this, and install the wheel, by uv if it is there, else by pip.

    Returns the path of the command `cribboard`. Raises CalledProcessError, whose `stderr` says why.
    """
    python = environment / "bin" / "python"
    if uv := shutil.which("uv"):
        _run(uv, "venv", "--quiet", "--python", sys.executable, str(environment))
        _run(uv, "pip", "install", "--quiet", "--only-binary", ":all:", "--python", str(python), str(wheel))
    else:
        _run(sys.executable, "-m", "venv", str(environment))
        pip = (str(python), "-m", "pip", "--disable-pip-version-check", "--quiet")
        _run(*pip, "install", "--only-binary", ":all:", str(wheel))
    return environment / "bin" / "cribboard"


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
