"""The work for a card by HTTP, for its answer and for a key, in calls of the program's own functions.

`tests/web_panel/test_work_of_an_answer.py` asserts upper bounds.
"""

from __future__ import annotations

import pytest

from tests.bench.recording import Recorder
from tests.bench.running_program import work_of_a_key, work_of_cards


@pytest.mark.bench
def test_work_of_a_card_and_of_a_key(recorder: Recorder) -> None:
    cards = work_of_cards()
    recorder.record(
        "work",
        {
            "card_calls": max(work.by_http.calls for work in cards),
            "card_switches": max(work.by_http.switches for work in cards),
            "answer_calls": max(work.answer.calls for work in cards),
            "answer_switches": max(work.answer.switches for work in cards),
            "key_calls": work_of_a_key().calls,
        },
    )
