"""Build hook: the description on the package index is the README, with links that work outside the repository.

Links to files of the repository lead to the tag of the version, at the address `Source` of `[project.urls]`. Without an
address they become plain text, and pictures are left out, so no link is broken. hatchling loads this file by its path,
so it imports nothing of ours.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[((?:!\[[^\]]*\]\([^)]*\)|[^\[\]])*)\]\(([^)\s]+)\)")
"""Picture mark, text or picture, and target of a link in Markdown."""
_ELSEWHERE = ("https://", "http://", "mailto:", "#")


def published(readme: str, source: str | None, version: str) -> str:
    """The README of a version as Markdown for the package index. `source` is the address of the repository."""

    def rewritten(link: re.Match[str]) -> str:
        mark, text, target = link.groups()
        text = _LINK.sub(rewritten, text)
        if target.startswith(_ELSEWHERE):
            return f"{mark}[{text}]({target})"
        if source is None:
            return "" if mark else text
        tag = f"{source.rstrip('/')}/{'raw' if mark else 'blob'}/v{version}/"
        return f"{mark}[{text}]({urljoin(tag, target)})"

    return _LINK.sub(rewritten, readme)


class DescriptionHook(MetadataHookInterface):
    """Sets `readme`, which `pyproject.toml` lists as dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description to the metadata of the project."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = published(readme, metadata.get("urls", {}).get("Source"), metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
