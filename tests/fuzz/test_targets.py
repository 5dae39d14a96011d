"""Whatever bytes come, they are taken or refused in words. The everyday part; `make fuzz` looks longer and harder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.target import CORPUS, Target
from tests.fuzz.targets import TARGETS

KEPT = [
    pytest.param(target, seed, id=f"{target.name}/{seed.name}") for target in TARGETS.values() for seed in target.seeds
]


def edited(target: Target) -> st.SearchStrategy[bytes]:
    """Kept bytes with a few places replaced by words that mean something, by other bytes, or by nothing."""
    words = st.sampled_from([word.encode() for word in target.words]) if target.words else st.just(b"")
    patches = st.tuples(st.integers(0, 999), st.integers(0, 30), words | st.binary(max_size=8))
    seeds = st.sampled_from([seed.read_bytes()[:MOST] for seed in target.seeds])
    return st.builds(_patched, seeds, st.lists(patches, min_size=1, max_size=4))


MOST = 1500
"""Bytes to edit: enough for any idea, and quickly read."""


def _patched(kept: bytes, patches: list[tuple[int, int, bytes]]) -> bytes:
    for place, length, word in patches:
        start = place * len(kept) // 1000
        kept = kept[:start] + word + kept[start + length :]
    return kept


@pytest.mark.parametrize(("target", "seed"), KEPT)
def test_what_was_kept_is_taken_or_refused(target: Target, seed: Path) -> None:
    target.try_out(seed.read_bytes())


def any_bytes(target: Target) -> st.SearchStrategy[bytes]:
    return edited(target) | st.binary(max_size=60)


@pytest.mark.parametrize("target", [pytest.param(each, id=each.name) for each in TARGETS.values() if not each.is_slow])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_bytes_are_taken_or_refused(target: Target, data: st.DataObject) -> None:
    target.try_out(data.draw(any_bytes(target)))


@pytest.mark.parametrize("target", [pytest.param(each, id=each.name) for each in TARGETS.values() if each.is_slow])
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_so_it_is_where_a_reading_takes_long(target: Target, data: st.DataObject) -> None:
    target.try_out(data.draw(any_bytes(target)))


def test_everything_kept_is_tried() -> None:
    assert {folder.name for folder in CORPUS.iterdir()} == set(TARGETS)


def test_a_finding_is_seen() -> None:
    """Only what was declared is a refusal."""

    def stumbles(given: bytes) -> None:
        raise KeyError(given)

    Target(stumbles, (LookupError,)).try_out(b"5H")
    with pytest.raises(KeyError):
        Target(stumbles, (ValueError,)).try_out(b"5H")
