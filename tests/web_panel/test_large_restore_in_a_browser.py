"""A large backup is restored from a real browser, whose line breaks meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web_panel.browsing import Program, needs_browser
from tests.web_panel.test_large_restores import MEGABYTE, padded_backup

pytestmark = [*needs_browser, pytest.mark.slow]


def test_the_upload_goes_on_after_the_line_was_broken(page: Page, program: Program, tmp_path: Path) -> None:
    file = padded_backup(tmp_path / "backup.sqlite3", 20 * MEGABYTE)
    page.goto(f"{program.address}backups?lang=en")
    page.locator("#backup-file").set_input_files(file)
    page.locator("#start-restore").click()
    page.locator("#confirm [value=yes]").click()
    progress = page.locator("#progress")
    expect(progress).not_to_have_js_property("value", 0)
    page.context.set_offline(True)
    expect(page.locator("#restore-status")).to_have_text("Connection lost. Trying again …")
    reached = progress.evaluate("each => each.value")
    assert 0 < reached < 100
    page.context.set_offline(False)
    page.wait_for_function("reached => document.getElementById('progress').value > reached", arg=reached)
    expect(page.locator("#restore-status")).to_have_text("Backup restored.", timeout=100_000)
