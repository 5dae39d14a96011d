"""Every target takes or refuses the corpus and random bytes. `make fuzz` searches longer, guided by coverage."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import EXAMPLES
from tests.fuzz.target import CORPUS, Target
from tests.fuzz.targets import TARGETS

CORPUS_FILES = [
    pytest.param(target, seed, id=f"{target.name}/{seed.name}") for target in TARGETS.values() for seed in target.seeds
]


def edited(target: Target) -> st.SearchStrategy[bytes]:
    """A file of the corpus with a few places replaced by words of the format, by random bytes, or by nothing."""
    words = st.sampled_from([word.encode() for word in target.words]) if target.words else st.just(b"")
    patches = st.tuples(st.integers(0, 999), st.integers(0, 30), words | st.binary(max_size=8))
    seeds = st.sampled_from([seed.read_bytes()[:MAX_BYTES] for seed in target.seeds])
    return st.builds(_patched, seeds, st.lists(patches, min_size=1, max_size=4))


MAX_BYTES = 1500
"""Only the start of a long file is edited, to stay quick."""


def _patched(data: bytes, patches: list[tuple[int, int, bytes]]) -> bytes:
    for place, length, word in patches:
        start = place * len(data) // 1000
        data = data[:start] + word + data[start + length :]
    return data


@pytest.mark.parametrize(("target", "seed"), CORPUS_FILES)
def test_corpus_is_taken_or_refused(target: Target, seed: Path) -> None:
    target.run(seed.read_bytes())


def any_bytes(target: Target) -> st.SearchStrategy[bytes]:
    return edited(target) | st.binary(max_size=60)


@pytest.mark.parametrize("target", [pytest.param(each, id=each.name) for each in TARGETS.values() if not each.is_slow])
@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_any_bytes_are_taken_or_refused(target: Target, data: st.DataObject) -> None:
    target.run(data.draw(any_bytes(target)))


@pytest.mark.parametrize("target", [pytest.param(each, id=each.name) for each in TARGETS.values() if each.is_slow])
@settings(max_examples=EXAMPLES // 4, deadline=None)
@given(data=st.data())
def test_any_bytes_are_taken_or_refused_by_slow_targets(target: Target, data: st.DataObject) -> None:
    target.run(data.draw(any_bytes(target)))


def test_every_corpus_folder_has_a_target() -> None:
    assert {folder.name for folder in CORPUS.iterdir()} == set(TARGETS)


def test_undeclared_exception_is_raised() -> None:
    """Only a declared exception is a refusal."""

    def broken(data: bytes) -> None:
        raise KeyError(data)

    Target(broken, (LookupError,)).run(b"5H")
    with pytest.raises(KeyError):
        Target(broken, (ValueError,)).run(b"5H")
