"""Guests: kernels that run as programs of this computer, with this computer's files as a read-only root.

A guest runs one file of tests, writes their output to its console, and powers off. It has no network and no input.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from tests.kernel.kernels import HERE, StockKernel, UserModeKernel

ROOT = HERE.parents[1]
INIT = HERE / "init.sh"
CONTAINER = HERE / "container.sh"
STATUS = "GUEST STATUS "
NOBODY = 65534


class Ended(Struct, frozen=True):
    """What the guest wrote to its console, and the exit status of its tests; None if they did not finish."""

    console: str
    status: int | None


def run_user_mode(
    kernel: UserModeKernel,
    tests: Path,
    limit_s: float,
    *,
    is_virtual: bool = False,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Ended:
    """Run this file of tests in user-mode Linux, for at most `limit_s`.

    `is_virtual`: time travel; its clock stops while it computes and jumps while it waits. `variables`: further
    environment variables of its first process.
    """
    with _own_folder(kernel.linux, kernel.header) as (folder, linux, header):
        machine = ["mem=512M", "rootfstype=hostfs", "rootflags=/", "ro", f"init={INIT}", f"uml_dir={folder}/"]
        machine += ["con=null", "con0=fd:0,fd:1", "ssl=null", "quiet"]
        if is_virtual:
            machine.append("time-travel=inf-cpu")
        command: list[str | Path] = [linux, *machine, *_variables(tests, {"MODULE": str(header), **variables})]
        return _run(command, limit_s, folder, _user())


def run_stock(kernel: StockKernel, tests: Path, limit_s: float) -> Ended:
    """Run this file of tests on Debian's kernel in QEMU, with every instruction emulated, for at most `limit_s`."""
    return _run_stock(kernel, "path=/,readonly=on", [f"INIT={INIT}", *_variables(tests, {})], limit_s)


def run_debian(kernel: StockKernel, debian: Path, init: str, limit_s: float) -> Ended:
    """Boot the Debian in this folder, which it may write to, with Debian's kernel in QEMU. Needs root."""
    return _run_stock(kernel, f"path={debian}", [f"INIT={init}", "HOW=rw"], limit_s, is_root=True)


def run_container(debian: Path, limit_s: float) -> Ended:
    """Boot the Debian in this folder, which it may write to, as a container on this computer's kernel. Needs root."""
    with _own_folder() as (folder,):
        return _run(["unshare", "--mount", CONTAINER, debian], limit_s, folder, {})


def _run_stock(
    kernel: StockKernel, root: str, variables: Iterable[str], limit_s: float, *, is_root: bool = False
) -> Ended:
    machine = ["qemu-system-x86_64", "-machine", "q35", "-accel", "tcg", "-cpu", "max", "-m", "768", "-nographic"]
    machine += ["-no-reboot", "-nic", "none", "-device", "virtio-9p-pci,fsdev=root,mount_tag=root"]
    machine += ["-fsdev", f"local,id=root,{root},security_model=none,multidevs=remap"]
    line = ["console=ttyS0", "quiet", "panic=-1", "tsc=unstable", *variables]
    with _own_folder(kernel.image, kernel.initramfs) as (folder, image, initramfs):
        command: list[str | Path] = [*machine, "-kernel", image, "-initrd", initramfs, "-append", " ".join(line)]
        return _run(command, limit_s, folder, {} if is_root else _user())


@contextmanager
def _own_folder(*files: Path) -> Iterator[tuple[Path, ...]]:
    """A folder that the guest's user may write to, and copies of these files that it may read."""
    with TemporaryDirectory(prefix="guest-") as made:
        folder = Path(made)
        folder.chmod(0o777)
        yield (folder, *(Path(shutil.copy(file, folder)) for file in files))


def _variables(tests: Path, variables: Mapping[str, str]) -> Iterable[str]:
    """Kernel arguments that the kernel passes on to its first process as environment variables."""
    every = {"ROOT": ROOT, "PYTHON": sys.executable, "TESTS": tests, **variables}
    return (f"{name}={text}" for name, text in every.items())


def _run(command: list[str | Path], limit_s: float, folder: Path, user: Mapping[str, Any]) -> Ended:
    console_file = folder / "console"
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    with console_file.open("wb") as console:
        guest = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
            env=environ,
            start_new_session=True,
            **user,
        )
        try:
            guest.wait(limit_s)
        except subprocess.TimeoutExpired:
            console.write(f"\nThe guest was killed after {limit_s:.0f} s.\n".encode())
        finally:
            _end(guest)
    text = console_file.read_text(errors="replace").replace("\r", "")
    _, _, status = text.rpartition(STATUS)
    return Ended(text, int(status.split()[0]) if status[:1].isdigit() else None)


@cache
def _user() -> Mapping[str, Any]:
    """Popen arguments to run as the user nobody, if we are root and nobody may read the checkout; else none.

    A guest needs no permissions outside.
    """
    nobody: Mapping[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run([sys.executable, "-c", "import tests.kernel"], cwd=ROOT, check=True, **nobody)
    except (OSError, subprocess.SubprocessError):
        return {}
    return nobody


def _end(guest: subprocess.Popen[bytes]) -> None:
    """Kill the guest and all its processes, which are processes of this computer too."""
    with suppress(ProcessLookupError):
        os.killpg(guest.pid, signal.SIGKILL)
    guest.wait()
