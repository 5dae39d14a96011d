"""The broker and the collector of a league under systemd, with all restrictions of their units, set up as the document
of the league says. In a container, with this computer's kernel."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.install.debian import Debian, needs_debian, unpacked
from tests.kernel.guests import run_container
from tests.kernel.kernels import HERE
from tests.league.messages import message

pytestmark = [pytest.mark.kernel, needs_debian]

SERVICE = HERE / "service"
LIMIT_S = 600.0
PACKAGES = ("nats-server", "postgresql", "curl")
RESULTS = 4


def prepare(debian: Debian) -> None:
    """Install what the document names, and the steps that are run when the Debian boots."""
    debian.install("--kit", "page", "--with", "league,mqtt")
    debian.run("apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES)
    units = debian.folder / "etc/systemd/system"
    (units / "multi-user.target.wants/cribboard.service").unlink()
    for name in ("league.sh", "send_result.py"):
        shutil.copy(SERVICE / name, debian.folder)
    shutil.copy(SERVICE / "league.service", units)
    (units / "multi-user.target.wants/league.service").symlink_to("/etc/systemd/system/league.service")
    for number in range(1, RESULTS + 1):
        (debian.folder / f"result-{number}.json").write_bytes(message(number, board="table-1").payload)


def test_a_league_is_set_up_reloaded_and_started_again_as_its_document_says(tmp_path: Path) -> None:
    with unpacked(tmp_path, "bookworm") as debian:
        prepare(debian)
        ended = run_container(debian.folder, LIMIT_S)
    print(ended.console)
    assert "every step of the league worked" in ended.console.splitlines()[-2]
