"""RELIABILITY.md is up to date: every claim names tests that exist, and its figures are those of the last run."""

from __future__ import annotations

import pytest

from tests.reliability.guarantees import GUARANTEES, Guarantee
from tests.reliability.reliability_page import ROOT, files_of_tests, page

PAGE = ROOT / "firmware_host" / "RELIABILITY.md"


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "make reliability updates it"


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda guarantee: guarantee.title)
def test_every_claim_has_a_proof_that_exists_once(guarantee: Guarantee) -> None:
    for claim in guarantee.claims:
        assert claim.tests, claim.text
        for test in claim.tests:
            assert len(files_of_tests().get(test, ())) == 1, test


@pytest.mark.parametrize("guarantee", [each for each in GUARANTEES if each.command], ids=lambda each: each.title)
def test_every_make_target_exists(guarantee: Guarantee) -> None:
    target = guarantee.command.removeprefix("make ")
    assert f"\n{target}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
