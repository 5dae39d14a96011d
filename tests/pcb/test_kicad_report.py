"""KiCad's report of its design rule check is read whole, or not at all."""

from __future__ import annotations

import pytest

from hardware.pcb.report import read_report

FINDINGS = """** Found 2 DRC violations **
[clearance]: Clearance violation (actual 0.0 mm)
    Rule: netclass; Severity: error
    @(1.0 mm, 2.0 mm): Track [A] on F.Cu
    @(1.0 mm, 2.0 mm): Pad 1 [B] of U1 on F.Cu
[silk_over_copper]: Silkscreen clipped by solder mask
    Local override; Severity: warning
    @(3.0 mm, 2.0 mm): Footprint Text '1' of D3

** Found 1 unconnected pads **
[unconnected_items]: Missing connection between items
    Local override; Severity: error
    @(4.0 mm, 2.0 mm): Pad 1 [A] of U1 on F.Cu

** Found 0 Footprint errors **
"""


def test_errors_warnings_and_missing_connections_are_told_apart() -> None:
    verdict = read_report(FINDINGS)
    assert [len(found) for found in (verdict.errors, verdict.warnings, verdict.unconnected)] == [1, 1, 1]
    assert "Pad 1 [B] of U1" in verdict.errors[0]


def test_a_report_that_cannot_be_read_is_never_taken_for_a_clean_one() -> None:
    with pytest.raises(ValueError, match="expected 4 findings as it says, got 3"):
        read_report(FINDINGS.replace("Found 2 DRC", "Found 3 DRC"))
