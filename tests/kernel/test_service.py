"""The installed board under systemd: the service starts, survives a kill, a freeze and upgrades, and stops.

A guest has no network, so the later version is installed before Debian boots; the guest only switches to it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.install.debian import Debian, needs_debian, unpacked
from tests.kernel.guests import run_debian
from tests.kernel.kernels import HERE, stock_kernel

pytestmark = [pytest.mark.kernel, needs_debian]

SERVICE = HERE / "service"
LIMIT_S = 3600.0
INIT = "#!/bin/sh\nexec /lib/systemd/systemd\n"
SETTINGS = 'simulate = true\nboard = "classic-61"\n'
# Every instruction is emulated: two seconds of a Pi may be two minutes here.
PATIENT = "[Service]\nTimeoutStartSec=600\nTimeoutStopSec=600\n"


def prepare(debian: Debian) -> None:
    """Install as on a Pi, with a simulated board, a later version and the witness."""
    debian.install()
    debian.add_release("99.0")
    debian.install(sources="src-99.0")
    debian.install("--rollback")
    folder = debian.folder
    (folder / "init.sh").write_text(INIT)
    (folder / "etc/cribboard/cribboard.toml").write_text(SETTINGS)
    units = folder / "etc/systemd/system"
    (units / "cribboard.service.d").mkdir()
    (units / "cribboard.service.d/patient.conf").write_text(PATIENT)
    shutil.copy(SERVICE / "witness.py", folder)
    shutil.copy(SERVICE / "witness.service", units)
    (units / "multi-user.target.wants/witness.service").symlink_to("/etc/systemd/system/witness.service")


def test_systemd_runs_the_installed_board(tmp_path: Path) -> None:
    with unpacked(tmp_path, "bookworm") as debian:
        prepare(debian)
        ended = run_debian(stock_kernel(), debian.folder, "/init.sh", LIMIT_S)
    print(ended.console)
    assert ended.status == 0
