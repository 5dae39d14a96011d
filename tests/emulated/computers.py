"""Makes and starts emulated computers: Debian's Python and kernel, and the program with the wheels of its packages.

Everything comes by name from Debian and PyPI and is unpacked, not installed, into `build/emulated`. Debian's second
stage, which would take minutes under emulation, is not run: nothing here needs it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "emulated"
INIT = Path(__file__).with_name("init.sh")
RELEASE = "bookworm"
PACKAGES = "python3,ca-certificates,busybox-static"
APP = "opt/app"
"""Where the program and its packages are, in the root of the computer."""
LEFT_OUT = ("./usr/share/doc", "./usr/share/man", "./usr/share/locale", "./var")
BOOT_S = 900.0
"""How long the measurement may take. It takes half a minute on a quiet machine."""


class Computer(Struct, frozen=True):
    """`debian`: Debian's name of the architecture; `wheels`: platforms of wheels that it can use."""

    debian: str
    wheels: Sequence[str]
    machine: Sequence[str]
    """The emulator, and the options that make this computer of it."""
    console: str

    @property
    def folder(self) -> Path:
        return FOLDER / self.debian

    @property
    def root(self) -> Path:
        """Its files, once `make` has made them."""
        return self.folder / "root"


ARM64 = Computer(
    "arm64",
    ("manylinux_2_28_aarch64", "manylinux2014_aarch64"),
    ("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53"),
    "ttyAMA0",
)
PC = Computer(
    "amd64",
    ("manylinux_2_28_x86_64", "manylinux2014_x86_64"),
    ("qemu-system-x86_64", "-M", "q35", "-cpu", "max"),
    "ttyS0",
)


def make(computer: Computer) -> None:
    """Fetch what is not there yet, and put the program as it is now into the root. Raises CalledProcessError."""
    computer.folder.mkdir(parents=True, exist_ok=True)
    if not (computer.folder / "fetched").exists():
        _fetch_debian(computer)
        (computer.folder / "fetched").touch()
    _install_program(computer)


def run_in_user_mode(*arguments: str) -> subprocess.Popen[str]:
    """The program on an ARM64 processor, with the kernel of this computer."""
    emulator = ["qemu-aarch64-static", "-L", str(ARM64.root), "-E", f"PYTHONPATH={ARM64.root / APP}"]
    python = [str(ARM64.root / "usr/bin/python3.11"), "-m", "firmware_host", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen([*emulator, *python], stdout=pipe, stderr=pipe, text=True, cwd=FOLDER)


def measure(computer: Computer) -> Mapping[str, float]:
    """Boot the computer, on which a nanosecond is one instruction, and return the instructions of each work.

    One core runs everything, so waiting costs nothing and two runs differ by a percent or less. Raises AssertionError
    with what the computer printed.
    """
    image = computer.folder / "root.cpio.zst"
    _pack(computer, image)
    kernel = next((computer.folder / "netboot").rglob(f"text/debian-installer/{computer.debian}/linux"))
    line = f"console={computer.console} rdinit=/init panic=-1 quiet"
    options = ["-smp", "1", "-m", "1024", "-nographic", "-no-reboot", "-nic", "none"]
    options += ["-icount", "shift=0,sleep=off", "-kernel", str(kernel), "-initrd", str(image), "-append", line]
    command = [*computer.machine, *options]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=BOOT_S, check=False
    )
    assert "STATUS 0" in done.stdout, done.stdout + done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"work"')]
    return {each["work"]: each["measured_ms"] * 1e6 for each in found if "measured_ms" in each}


def _fetch_debian(computer: Computer) -> None:
    shutil.rmtree(computer.folder, ignore_errors=True)
    computer.root.mkdir(parents=True)
    stage = computer.folder / "stage"
    _run(
        "debootstrap",
        f"--arch={computer.debian}",
        "--foreign",
        "--variant=minbase",
        f"--include={PACKAGES}",
        RELEASE,
        stage,
    )
    for package in sorted((stage / "var/cache/apt/archives").glob("*.deb")):
        _run("dpkg", "-x", package, computer.root)
    shutil.rmtree(stage)
    if sys.version_info[:2] == (3, 11):  # else the computer compiles its library when it needs it
        _run(
            sys.executable,
            "-m",
            "compileall",
            "-q",
            "-s",
            computer.root,
            "-p",
            "/",
            computer.root / "usr/lib/python3.11",
        )
    _run("apt-get", "download", "-qq", f"debian-installer-12-netboot-{computer.debian}", folder=computer.folder)
    for package in computer.folder.glob("*.deb"):
        _run("dpkg", "-x", package, computer.folder / "netboot")
        package.unlink()


def _install_program(computer: Computer) -> None:
    """As `install.sh` does, with the wheels of the other architecture, whose hashes are pinned."""
    wheels, app = computer.folder / "wheels", computer.root / APP
    shutil.rmtree(wheels, ignore_errors=True)
    shutil.rmtree(app, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", wheels, ROOT)
    (wheel,) = wheels.glob("*.whl")
    platforms = [f"--platform={each}" for each in (*computer.wheels, "any")]
    python = ("--python-version=3.11", "--implementation=cp", "--only-binary=:all:")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", app)
    _run(*pip, *platforms, *python, "--constraint", ROOT / "requirements.lock", wheel)


def _pack(computer: Computer, image: Path) -> None:
    """The root as an initramfs."""
    shutil.copy(INIT, computer.root / "init")
    pruned = " -o ".join(f"-path {folder} -prune" for folder in LEFT_OUT)
    pack = f"find . {pruned} -o -print | cpio --quiet -o -H newc | zstd -q -3 -T0 -f -o {image}"
    _run("sh", "-c", pack, folder=computer.root)


def _run(*command: str | Path, folder: Path = ROOT) -> None:
    """Raises CalledProcessError, after what the command printed."""
    done = subprocess.run(list(command), cwd=folder, capture_output=True, text=True, check=False, env=dict(os.environ))
    if done.returncode:
        print(done.stdout[-4000:], done.stderr[-4000:])
    done.check_returncode()
