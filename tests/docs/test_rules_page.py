"""The page of rules says what the rules say."""

from __future__ import annotations

from tests.docs.rules_page import PAGE, rules_page


def test_the_page_of_rules_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == rules_page(), "mend: python -m tests.docs.rules_page"
