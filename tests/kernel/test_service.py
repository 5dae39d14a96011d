"""The installed board under systemd: the service starts, survives a kill, a freeze and upgrades, and stops.

Twice: in a guest, with Debian's kernel and every instruction emulated, and in a container, with this computer's kernel
and its speed. Both have no network, so the later version is installed before Debian boots, which only switches to it.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.install.debian import Debian, needs_debian, unpacked
from tests.kernel.guests import run_container, run_debian
from tests.kernel.kernels import HERE, stock_kernel

pytestmark = [pytest.mark.kernel, needs_debian]

SERVICE = HERE / "service"
LIMIT_S = 3600.0
CONTAINER_LIMIT_S = 900.0
INIT = "#!/bin/sh\nexec /lib/systemd/systemd\n"
SETTINGS = 'simulate = true\nboard = "classic-61"\n'
# Every instruction of a guest is emulated: two seconds of a Pi may be two minutes there.
PATIENT = {
    "cribboard": "[Service]\nTimeoutStartSec=600\nTimeoutStopSec=600\n",
    "witness": "[Service]\nEnvironment=TIMEOUT_S=600 START_LIMIT_S=400\n",
}
NO_CONSOLE = {"witness": "[Service]\nStandardOutput=append:/console.txt\nStandardError=append:/console.txt\n"}


def prepare(debian: Debian, drop_ins: Mapping[str, str]) -> None:
    """Install as on a Pi, with a simulated board, a later version, the witness and these changes of services."""
    debian.install("--with", "https")  # as INSTALL.md says
    debian.add_release("99.0")
    debian.install(sources="src-99.0")
    debian.install("--rollback")
    folder = debian.folder
    (folder / "init.sh").write_text(INIT)
    (folder / "etc/cribboard/cribboard.toml").write_text(SETTINGS)
    units = folder / "etc/systemd/system"
    for service, lines in drop_ins.items():
        (units / f"{service}.service.d").mkdir()
        (units / f"{service}.service.d/test.conf").write_text(lines)
    shutil.copy(SERVICE / "witness.py", folder)
    shutil.copy(SERVICE / "witness.service", units)
    (units / "multi-user.target.wants/witness.service").symlink_to("/etc/systemd/system/witness.service")


def test_systemd_runs_the_installed_board(tmp_path: Path) -> None:
    """In a guest."""
    with unpacked(tmp_path, "bookworm") as debian:
        prepare(debian, PATIENT)
        ended = run_debian(stock_kernel(), debian.folder, "/init.sh", LIMIT_S)
    print(ended.console)
    assert ended.status == 0


def test_systemd_of_a_container_runs_the_installed_board(tmp_path: Path) -> None:
    """With the installer's own limit of 60 s for a version that does not start."""
    with unpacked(tmp_path, "bookworm") as debian:
        prepare(debian, NO_CONSOLE)
        ended = run_container(debian.folder, CONTAINER_LIMIT_S)
    print(ended.console)
    assert ended.status == 0
