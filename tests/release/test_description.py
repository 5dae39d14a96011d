"""The description on the package index: the README with links that work there."""

from __future__ import annotations

import pytest

from release.description import published

SOURCE = "https://example.org/cribboard"


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("[Rules](firmware_host/RULES.md#show).", f"[Rules]({SOURCE}/blob/v1.2/firmware_host/RULES.md#show)."),
        ("[`tests/`](tests/README.md)", f"[`tests/`]({SOURCE}/blob/v1.2/tests/README.md)"),
        ("![A board](hardware/board.svg)", f"![A board]({SOURCE}/raw/v1.2/hardware/board.svg)"),
        ("[![CI](../../ci/badge.svg)](../../ci)", f"[![CI]({SOURCE}/ci/badge.svg)]({SOURCE}/ci)"),
        ("[pip](https://pip.pypa.io), [below](#below)", "[pip](https://pip.pypa.io), [below](#below)"),
    ],
)
def test_links_lead_to_the_tag_of_the_version(markdown: str, expected: str) -> None:
    assert published(markdown, SOURCE, "1.2") == expected


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("See [the `rules`](firmware_host/RULES.md).", "See the `rules`."),
        ("![A board](hardware/board.svg) here", " here"),
        ("[![CI](../../ci/badge.svg)](../../ci)", ""),
        ("[![Docs](https://example.org/d.svg)](docs.md)", "![Docs](https://example.org/d.svg)"),
        ("`[mqtt]` and [pip](https://pip.pypa.io)", "`[mqtt]` and [pip](https://pip.pypa.io)"),
    ],
)
def test_without_an_address_links_are_plain_text(markdown: str, expected: str) -> None:
    assert published(markdown, None, "1.2") == expected


def test_slash_at_the_end_of_the_address_makes_no_difference() -> None:
    assert published("[a](b)", f"{SOURCE}/", "1.2") == published("[a](b)", SOURCE, "1.2")
