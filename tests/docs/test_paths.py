"""Every file, folder and heading that a page of the documentation links to exists, and every path that it names."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
MADE = frozenset({"build", "dist"})
"""Folders of what a command makes."""
SOURCE = frozenset({".c", ".css", ".html", ".js", ".md", ".py", ".sh"})
"""Suffixes of names that are meant as files of the repository, without a folder too."""
ELSEWHERE = frozenset(
    {
        *("https/authority.pem", "https/board.pem"),  # in the state folder of a board
        *("league/n1", "league/ca.crt", "league/ca.key"),  # in that of a league
        "board_drivers/hardware/",  # in a wheel
        "eepflash.sh",  # of the Raspberry Pi
        "coach/hand",  # a route
    }
)
"""Paths that are not of the repository."""


@cache
def files() -> tuple[PurePosixPath, ...]:
    """The files of the repository, relative to its root, without hidden folders but `.github`, and without MADE."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name == ".github" or not (name.startswith(".") or name in MADE)]
        found += [PurePosixPath(Path(folder, name).relative_to(ROOT)) for name in names]
    return tuple(found)


PAGES = sorted(str(file) for file in files() if file.suffix == ".md")


def prose(page: str) -> str:
    """The text of a page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def links(text: str) -> list[str]:
    """The targets of the links and pictures that stay in the repository."""
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    return [target for target in targets if not re.match(r"[a-z]+:|\.\./\.\./actions/", target)]


def missing_paths(page: str, text: str) -> list[str]:
    """The paths between back-ticks that are nowhere: neither beside the page, nor in the root or in firmware_host."""
    folders = [ROOT, ROOT / "firmware_host", (ROOT / page).parent]
    names = {file.name for file in files()}
    missing = []
    for path in re.findall(r"`([\w.*-]+(?:/[\w.*-]+)*/?)`", text):
        parts = PurePosixPath(path).parts
        is_source = PurePosixPath(path).suffix in SOURCE
        if MADE.intersection(parts) or path in ELSEWHERE:
            continue
        if "/" not in path:
            is_there = not is_source or "*" in path or path in names
        elif "*" in path:
            is_there = not is_source or any(any(folder.glob(path)) for folder in folders)
        elif is_source or any((folder / parts[0]).is_dir() for folder in folders):
            is_there = any((folder / path).exists() for folder in folders)
        else:
            is_there = True
        if not is_there:
            missing.append(path)
    return missing


@pytest.mark.parametrize("page", PAGES)
def test_every_link_has_a_target(page: str) -> None:
    for link in links(prose(page)):
        name, _, anchor = link.partition("#")
        target = (ROOT / page).parent / name if name else ROOT / page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", [page for page in PAGES if page != "CHANGELOG.md"])  # which names files of the past
def test_every_path_exists(page: str) -> None:
    assert not missing_paths(page, prose(page))


@pytest.mark.parametrize("page", [page for page in PAGES if page != "CHANGELOG.md"])
def test_every_module_to_run_exists(page: str) -> None:
    for module in re.findall(r"python -m ((?:tests|hardware|release|firmware_host|board_drivers)[\w.]*)", prose(page)):
        path = ROOT.joinpath(*module.split("."))
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module


def test_a_missing_path_is_found() -> None:
    missing = ["tests/no_such_file.py", "no_such_file.py", "cli/no_such_folder/", "cli/no_such_*.py"]
    text = f"{' '.join(f'`{path}`' for path in missing)}, but `cribbage/cards.py`, `cli/*.py`, `build/x.py`, `and/or`"
    assert missing_paths("README.md", text) == missing
