"""Guests: a kernel that runs as a program of this computer, on this computer's own files, which it can only read.

A guest runs one file of tests, tells what it had to say, and is gone. It has no network and nothing to type on.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from tests.kernel.kernels import HERE, StockKernel, UserModeKernel

ROOT = HERE.parents[1]
INIT = HERE / "init.sh"
STATUS = "GUEST STATUS "
NOBODY = 65534


@dataclass(frozen=True, slots=True)
class Ended:
    """What the guest wrote to its console, and the exit status of its tests; None: it never came so far."""

    console: str
    status: int | None


def run_user_mode(
    kernel: UserModeKernel,
    tests: Path,
    limit_s: float,
    *,
    is_virtual: bool = False,
    told: Mapping[str, str] = MappingProxyType({}),
) -> Ended:
    """User-mode Linux. `is_virtual`: its clock stands still while it computes, and jumps while it waits."""
    with _own_folder(kernel.linux, kernel.header) as (folder, linux, header):
        machine = ["mem=512M", "rootfstype=hostfs", "rootflags=/", "ro", f"init={INIT}", f"uml_dir={folder}/"]
        machine += ["con=null", "con0=fd:0,fd:1", "ssl=null", "quiet"]
        if is_virtual:
            machine.append("time-travel=inf-cpu")
        return _run([linux, *machine, *_told(tests, {"MODULE": str(header), **told})], limit_s, folder, _who())


def run_stock(kernel: StockKernel, tests: Path, limit_s: float) -> Ended:
    """Debian's kernel in QEMU, every instruction emulated."""
    return _run_stock(kernel, "path=/,readonly=on", [f"INIT={INIT}", *_told(tests, {})], limit_s)


def run_debian(kernel: StockKernel, debian: Path, init: str, limit_s: float) -> Ended:
    """Debian's kernel in QEMU, with a Debian of its own in this folder, which it may write to. Only root can."""
    return _run_stock(kernel, f"path={debian}", [f"INIT={init}", "HOW=rw"], limit_s, is_root=True)


def _run_stock(kernel: StockKernel, root: str, told: Iterable[str], limit_s: float, *, is_root: bool = False) -> Ended:
    machine = ["qemu-system-x86_64", "-machine", "q35", "-accel", "tcg", "-cpu", "max", "-m", "768", "-nographic"]
    machine += ["-no-reboot", "-nic", "none", "-device", "virtio-9p-pci,fsdev=root,mount_tag=root"]
    machine += ["-fsdev", f"local,id=root,{root},security_model=none,multidevs=remap"]
    line = ["console=ttyS0", "quiet", "panic=-1", "tsc=unstable", *told]
    with _own_folder(kernel.image, kernel.initramfs) as (folder, image, initramfs):
        command: list[str | Path] = [*machine, "-kernel", image, "-initrd", initramfs, "-append", " ".join(line)]
        return _run(command, limit_s, folder, {} if is_root else _who())


@contextmanager
def _own_folder(*files: Path) -> Iterator[tuple[Path, ...]]:
    """A folder that whoever runs the guest may write to, and copies of these files that it may read."""
    with TemporaryDirectory(prefix="guest-") as made:
        folder = Path(made)
        folder.chmod(0o777)
        yield (folder, *(Path(shutil.copy(file, folder)) for file in files))


def _told(tests: Path, told: Mapping[str, str]) -> Iterable[str]:
    """What the kernel hands on to its first process as variables."""
    variables = {"ROOT": ROOT, "PYTHON": sys.executable, "TESTS": tests, **told}
    return (f"{name}={text}" for name, text in variables.items())


def _run(command: list[str | Path], limit_s: float, folder: Path, who: Mapping[str, Any]) -> Ended:
    said = folder / "console"
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    with said.open("wb") as console:
        guest = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
            env=environ,
            start_new_session=True,
            **who,
        )
        try:
            guest.wait(limit_s)
        except subprocess.TimeoutExpired:
            console.write(f"\nIt was ended after {limit_s:.0f} s.\n".encode())
        finally:
            _end(guest)
    text = said.read_text(errors="replace").replace("\r", "")
    _, _, status = text.rpartition(STATUS)
    return Ended(text, int(status.split()[0]) if status[:1].isdigit() else None)


@cache
def _who() -> Mapping[str, Any]:
    """Nobody, where root runs this and nobody may read what a guest reads: a guest needs no rights outside."""
    nobody: Mapping[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run([sys.executable, "-c", "import tests.kernel"], cwd=ROOT, check=True, **nobody)
    except (OSError, subprocess.SubprocessError):
        return {}
    return nobody


def _end(guest: subprocess.Popen[bytes]) -> None:
    """The guest and all its processes, which are processes here too."""
    with suppress(ProcessLookupError):
        os.killpg(guest.pid, signal.SIGKILL)
    guest.wait()
