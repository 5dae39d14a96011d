"""The folder `hardware` in a checkout and in an installed wheel; `tests/test_wheel.py` reads that of a real wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from board_drivers import hardware_files
from board_drivers.hardware_files import hardware_file

ROOT = Path(__file__).parents[2]


def test_a_checkout_has_the_folder_beside_the_package() -> None:
    assert hardware_file("pins.toml") == ROOT / "hardware" / "pins.toml"
    assert hardware_file("boards", "classic-61.toml").is_file()


def test_a_wheel_has_the_folder_in_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder `hardware` beside the package is then another project's."""
    package = tmp_path / "board_drivers"
    (package / "hardware").mkdir(parents=True)
    (tmp_path / "hardware").mkdir()
    monkeypatch.setattr(hardware_files, "_PACKAGE", package)
    assert hardware_file("pins.toml") == package / "hardware" / "pins.toml"
