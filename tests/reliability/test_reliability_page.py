"""RELIABILITY.md is up to date: every test that it names exists, and its figures are those of the last run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.reliability_page import GUARANTEES, Guarantee, page

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "firmware_host" / "RELIABILITY.md"


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "make reliability updates it"


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda guarantee: guarantee.title)
def test_every_proof_exists(guarantee: Guarantee) -> None:
    for file, test in guarantee.proofs:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {test}(" in text or f"\n{test} = " in text, (file, test)


@pytest.mark.parametrize("guarantee", [each for each in GUARANTEES if each.command], ids=lambda each: each.title)
def test_every_make_target_exists(guarantee: Guarantee) -> None:
    target = guarantee.command.removeprefix("make ")
    assert f"\n{target}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
