"""A request that arrives twice is carried out once."""

from __future__ import annotations

import pytest

from web_panel.api.repeated_requests import MOST_KEYS, RepeatedRequests


class Tally:
    """Counts how often a request is carried out. The first `failures` times it fails."""

    def __init__(self, failures: int = 0) -> None:
        self.count = 0
        self._failures = failures

    def __call__(self) -> None:
        self.count += 1
        if self.count <= self._failures:
            raise OSError


def test_the_same_key_of_the_same_sender_counts_once() -> None:
    requests = RepeatedRequests()
    tally = Tally()
    for sender, key in (("phone", "1"), ("phone", "1"), ("phone", "2"), (None, "1"), (None, "1")):
        requests.once(sender, key, tally)
    assert tally.count == 3


def test_without_a_key_every_request_counts() -> None:
    requests = RepeatedRequests()
    tally = Tally()
    for _ in range(2):
        requests.once("phone", None, tally)
    assert tally.count == 2


def test_a_request_that_failed_may_be_tried_again() -> None:
    requests = RepeatedRequests()
    tally = Tally(failures=1)
    with pytest.raises(OSError):
        requests.once("phone", "1", tally)
    for _ in range(2):
        requests.once("phone", "1", tally)
    assert tally.count == 2


def test_only_the_latest_keys_are_kept() -> None:
    requests = RepeatedRequests()
    first = Tally()
    requests.once("phone", "first", first)
    for key in range(MOST_KEYS):
        requests.once("phone", str(key), Tally())
    requests.once("phone", "first", first)
    assert first.count == 2
