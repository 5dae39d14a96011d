"""The page of promises is made of what is proved: every test it names is there, and its figures are the last ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.promises import PROMISES, Promise, page

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "firmware_host" / "RELIABILITY.md"


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "make reliability writes it anew"


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.title)
def test_every_proof_is_there(promise: Promise) -> None:
    for file, test in promise.proofs:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {test}(" in text or f"\n{test} = " in text, (file, test)


@pytest.mark.parametrize("promise", [promise for promise in PROMISES if promise.command], ids=lambda each: each.title)
def test_every_command_is_there(promise: Promise) -> None:
    target = promise.command.removeprefix("make ")
    assert f"\n{target}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
