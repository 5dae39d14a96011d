"""The kernels of the guests: user-mode Linux built from Debian's source, and Debian's own for QEMU.

Both are fetched by apt, unpacked but not installed, and cached; nothing of them is in this repository.
`python -m tests.kernel.kernels` builds those that are not in the cache.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

HERE = Path(__file__).parent
CONFIG, HEADER_MODULE, STOCK_INIT = HERE / "user_mode.config", HERE / "header_module", HERE / "stock_init.sh"
SOURCE = "linux-source-6.1"
STOCK = "linux-image-amd64"
USB_MODULES = ("9p", "9pnet_virtio", "virtio_pci", "dummy_hcd", "usb_f_acm", "cdc_acm")
"""Modules that the stock kernel loads: for its root over virtio, and for a USB port with both ends in the guest."""

REGISTERS, NARROW, WIDER = "arch/x86/um/user-offsets.c", "(HOST_FP_SIZE, 2696)", "(HOST_FP_SIZE, 12288)"
"""This kernel reserves 2.7 kB for a process's registers. A processor with AMX has 11 kB of them and restores them only
as a whole, so no guest would start on it."""


class CannotBuild(Exception):
    """A kernel cannot be fetched or built."""

    def __init__(self, expected: str, got: str, fix: str) -> None:
        super().__init__(f"expected {expected}, got {got}. Fix: {fix}")
        self.expected, self.got, self.fix = expected, got, fix


class UserModeKernel(Struct, frozen=True):
    """`linux`: the kernel, an executable of this computer. `header`: its module that makes the header of a Pi."""

    linux: Path
    header: Path


class StockKernel(Struct, frozen=True):
    """Debian's kernel for PCs, and an initramfs that loads the modules it needs."""

    image: Path
    initramfs: Path


def cache_folder() -> Path:
    """Where kernels are cached: $KERNEL_CACHE, or ~/.cache/cribboard-kernel."""
    return Path(os.environ.get("KERNEL_CACHE") or Path.home() / ".cache" / "cribboard-kernel")


def user_mode_kernel() -> UserModeKernel:
    """The kernel, from the cache or built, which takes minutes. Raises CannotBuild."""
    version = version_of(SOURCE)
    with kept(
        f"user-mode-{version}-{digest(CONFIG, also=WIDER)}", lambda folder: _build_linux(version, folder)
    ) as kernel:
        tree = kernel / SOURCE
        name = f"header-{digest(*sorted(HEADER_MODULE.iterdir()))}"
        with kept(f"{kernel.name}-{name}", lambda folder: _build_header(tree, folder)) as header:
            return UserModeKernel(tree / "linux", header / "bench_header.ko")


def stock_kernel() -> StockKernel:
    """Debian's kernel for PCs with its initramfs, from the cache or fetched. Raises CannotBuild."""
    package = _depends_on(STOCK, "linux-image-")
    name = f"stock-{version_of(package)}-{digest(STOCK_INIT, also=' '.join(USB_MODULES))}"
    with kept(name, lambda folder: _unpack_stock(package, folder)) as kernel:
        return StockKernel(next(kernel.glob("vmlinuz-*")), kernel / "initramfs.gz")


@contextmanager
def kept(name: str, make: Callable[[Path], None]) -> Iterator[Path]:
    """A folder of the cache, filled completely by one process, under a lock."""
    folder = cache_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        complete = folder / "complete"
        if not complete.exists():
            make(folder)
            complete.touch()
    yield folder


def digest(*files: Path, also: str = "") -> str:
    """A short digest of the contents of these files."""
    return hashlib.sha256(b"\0".join((*(file.read_bytes() for file in files), also.encode()))).hexdigest()[:8]


def version_of(package: str) -> str:
    """The version that apt would fetch. Raises CannotBuild."""
    versions = _fields(["apt-cache", "show", "--no-all-versions", package], "Version:")
    if not versions:
        raise CannotBuild(f"Debian 12 with the package {package}", "none in apt's lists", "apt-get update")
    return versions[0]


def _depends_on(package: str, prefix: str) -> str:
    packages = [name for name in _fields(["apt-cache", "depends", package], "Depends:") if name.startswith(prefix)]
    if not packages:
        raise CannotBuild(f"Debian 12 with the package {package}", "none in apt's lists", "apt-get update")
    return packages[0]


def _fields(command: list[str], field: str) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (line.strip() for line in done.stdout.splitlines())
    return [line.removeprefix(field).strip() for line in lines if line.startswith(field)]


def _unpack(package: str, version: str, folder: Path) -> Path:
    """Fetch and unpack a package; returns the folder with its files."""
    _run(["apt-get", "download", "-qq", f"{package}={version}"], folder)
    (archive,) = folder.glob(f"{package}_*.deb")
    _run(["dpkg", "-x", archive.name, "unpacked"], folder)
    archive.unlink()
    return folder / "unpacked"


def _build_linux(version: str, folder: Path) -> None:
    print(f"Building user-mode Linux {version} in {folder} ...", flush=True)
    tree = folder / SOURCE
    shutil.rmtree(tree, ignore_errors=True)
    unpacked = _unpack(SOURCE, version, folder)
    _run(["tar", "xf", unpacked / "usr/src" / f"{SOURCE}.tar.xz"], folder)
    shutil.rmtree(unpacked)
    _widen(tree / REGISTERS)
    _make(tree, "defconfig")
    _run(["scripts/kconfig/merge_config.sh", "-m", ".config", CONFIG], tree)
    _make(tree, "olddefconfig")
    _check_config(tree)
    _make(tree, "linux", "modules")


def _widen(file: Path) -> None:
    text = file.read_text()
    if NARROW not in text:
        raise CannotBuild(f"{NARROW} in {REGISTERS}", "another text", "compare with this version of the source")
    file.write_text(text.replace(NARROW, WIDER))


def _check_config(tree: Path) -> None:
    """Kconfig silently drops options whose dependencies are missing."""
    wanted = {line for line in CONFIG.read_text().splitlines() if line.startswith("CONFIG_")}
    had = set((tree / ".config").read_text().splitlines())
    if lost := [line for line in wanted - had if not line.endswith("=n")]:
        raise CannotBuild(
            "every option of user_mode.config", f"no {', '.join(sorted(lost))}", "add the options they depend on"
        )


def _build_header(tree: Path, folder: Path) -> None:
    for file in HEADER_MODULE.iterdir():
        shutil.copy(file, folder)
    _make(tree, f"M={folder}", "modules")


def _make(tree: Path, *targets: str) -> None:
    _run(["nice", "make", "-s", "ARCH=um", f"-j{os.cpu_count()}", *targets], tree)


def _unpack_stock(package: str, folder: Path) -> None:
    unpacked = _unpack(package, version_of(package), folder)
    (image,) = unpacked.glob("boot/vmlinuz-*")
    shutil.copy(image, folder)
    _make_initramfs(unpacked, folder / "initramfs.gz")
    shutil.rmtree(unpacked)


def _make_initramfs(unpacked: Path, archive: Path) -> None:
    """Pack busybox, the modules in the order of their dependencies, and an init."""
    root = archive.parent / "initramfs"
    shutil.rmtree(root, ignore_errors=True)
    for name in ("bin", "modules", "dev", "proc", "sys", "root"):
        (root / name).mkdir(parents=True)
    shutil.copy("/bin/busybox", root / "bin")
    shutil.copy(STOCK_INIT, root / "init")
    (release,) = (unpacked / "lib/modules").iterdir()
    _run(["/sbin/depmod", "-b", unpacked, release.name], root)
    for place, module in enumerate(_in_order(unpacked, release)):
        shutil.copy(module, root / "modules" / f"{place:02}-{module.name}")
    _run(["sh", "-c", f"find . | cpio --quiet -o -H newc | gzip > {archive}"], root)


def _in_order(unpacked: Path, release: Path) -> list[Path]:
    modprobe = ["/sbin/modprobe", "-d", str(unpacked), "-S", release.name, "--show-depends"]
    modules = [line for name in USB_MODULES for line in _fields([*modprobe, name], "insmod ")]
    return [Path(line) for line in dict.fromkeys(modules)]


def _run(command: list[str | Path], folder: Path) -> None:
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except FileNotFoundError as missing:
        raise CannotBuild(f"the program {command[0]}", "none", "tests/kernel/install.sh") from missing
    except subprocess.CalledProcessError as failed:
        output = (failed.stderr or failed.stdout).strip().splitlines()[-3:]
        raise CannotBuild(
            f"{' '.join(map(str, command))} to work", " / ".join(output), "tests/kernel/install.sh"
        ) from failed


if __name__ == "__main__":
    print(user_mode_kernel(), stock_kernel(), sep="\n")
