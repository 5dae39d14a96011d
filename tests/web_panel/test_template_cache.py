"""Compiled templates are kept in files, and are not needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jinja2 import DictLoader, Environment

from web_panel.template_cache import TemplateCache


class Environments:
    """Makes an environment for each start, and counts what it compiles."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.compiled = folder, 0

    def render(self, source: str) -> str:
        """The template as the first page of a new start."""
        count = self

        class Counting(Environment):
            def compile(self, *arguments: Any, **keywords: Any) -> Any:
                count.compiled += 1
                return super().compile(*arguments, **keywords)

        environment = Counting(loader=DictLoader({"page": source}), bytecode_cache=TemplateCache(self.folder))
        return environment.get_template("page").render(name="Ann")


@pytest.fixture
def starts(tmp_path: Path) -> Environments:
    return Environments(tmp_path / "templates")


def test_a_template_is_compiled_at_its_first_start_only(starts: Environments) -> None:
    assert [starts.render("Hello {{ name }}") for _ in range(3)] == ["Hello Ann"] * 3
    assert starts.compiled == 1


def test_a_changed_template_is_compiled_again(starts: Environments) -> None:
    starts.render("Hello {{ name }}")
    assert starts.render("Bye {{ name }}") == "Bye Ann"
    assert starts.compiled == 2


def test_files_are_private(starts: Environments) -> None:
    starts.render("Hello {{ name }}")
    (file,) = starts.folder.iterdir()
    assert starts.folder.stat().st_mode & 0o777 == 0o700 and file.stat().st_mode & 0o777 == 0o600


def test_each_flipped_byte_is_noticed(starts: Environments) -> None:
    starts.render("Hello {{ name }}")
    (file,) = starts.folder.iterdir()
    stored = file.read_bytes()
    for place in range(0, len(stored), 7):
        file.write_bytes(stored[:place] + bytes([stored[place] ^ 1]) + stored[place + 1 :])
        before = starts.compiled
        assert starts.render("Hello {{ name }}") == "Hello Ann"
        assert starts.compiled == before + 1 and file.read_bytes() == stored


@pytest.mark.parametrize("content", [b"", b"short", bytes(100)])
def test_an_incomplete_file_is_replaced(starts: Environments, content: bytes) -> None:
    starts.render("Hello {{ name }}")
    (file,) = starts.folder.iterdir()
    file.write_bytes(content)
    assert starts.render("Hello {{ name }}") == "Hello Ann"
    assert file.stat().st_size > 100


def test_pages_are_shown_where_nothing_can_be_written(starts: Environments) -> None:
    starts.folder.write_text("not a folder")
    assert [starts.render("Hello {{ name }}") for _ in range(2)] == ["Hello Ann"] * 2
