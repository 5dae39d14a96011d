"""firmware_host/RULES.md is up to date."""

from __future__ import annotations

from tests.docs.rules_page import PAGE, rules_page


def test_the_rules_page_is_what_the_program_generates() -> None:
    assert PAGE.read_text(encoding="utf-8") == rules_page(), "run python -m tests.docs.rules_page"
