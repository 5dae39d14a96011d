"""The work of the running program, counted in calls of its own functions: a card by HTTP, its answer, and a key."""

from __future__ import annotations

from tests.bench.running_program import work_of_a_key, work_of_cards


def test_a_card_by_http_and_its_answer_take_little_work() -> None:
    for work in work_of_cards():
        # 1,120 here; threads that wait for each other on a busy machine add some twenty.
        assert work.by_http.calls <= 1180 and work.by_http.switches <= 350
        assert work.answer.calls <= 450 and work.answer.switches <= 160


def test_a_key_takes_little_work() -> None:
    assert work_of_a_key().calls <= 400
