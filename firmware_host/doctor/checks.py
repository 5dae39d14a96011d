"""The list of checks, in order, for a board on the header, a scanner alone and a board on the page."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence

from firmware_host.config.settings import Settings
from firmware_host.doctor import (
    boot_config,
    buses,
    devices,
    https,
    mqtt,
    options,
    scanner,
    storage_checks,
    system,
    voice,
)
from firmware_host.doctor.findings import Check, DoctorContext, Finding, failed

log = logging.getLogger(__name__)

Checks = Mapping[str, Sequence[Check]]

COMPUTER = (system.check_model, system.check_system, system.check_clock, system.check_libraries)
GAMES = (
    storage_checks.check_settings_file,
    storage_checks.check_folder,
    storage_checks.check_journal,
    storage_checks.check_phones,
    storage_checks.check_changed_settings,
    storage_checks.check_damaged_files,
)

PAGES_AND_VOICE = (options.check_options, https.check_https, mqtt.check_mqtt, voice.check_voice)

SIMULATED: Checks = {"The computer": (*COMPUTER, *PAGES_AND_VOICE), "The games": GAMES}
REAL: Checks = {
    "The computer": (*COMPUTER, system.check_power, boot_config.check_boot_config, *PAGES_AND_VOICE),
    "The buses": (buses.check_groups, buses.check_header, buses.check_nodes, buses.check_serial),
    "The board": (devices.check_parts, scanner.check_scanner),
    "The games": GAMES,
}
SCANNER_ALONE: Checks = {
    "The computer": (*COMPUTER, *PAGES_AND_VOICE),
    "The buses": (buses.check_groups, buses.check_serial),
    "The board": (scanner.check_scanner,),
    "The games": GAMES,
}
"""A board without a Pi: keys, lights and display are on the screen."""

SHOWN_IN_REPORT = ("The computer", "The board")
"""Titles whose findings a report shows in full; the others name folders and people."""


def run_checks(context: DoctorContext) -> Iterator[tuple[str, Finding]]:
    """Run the checks for these settings; yields (title, finding) as soon as each is found. Raises nothing."""
    for title, checks in checks_for(context.settings).items():
        for check in checks:
            for finding in _found(check, context):
                yield title, finding


def checks_for(settings: Settings) -> Checks:
    """Title -> its checks, in the order in which they run and are printed."""
    if settings.parts.is_on_page:
        return SIMULATED
    return REAL if settings.parts.on_pins else SCANNER_ALONE


def checks_for_report(context: DoctorContext) -> Iterator[Mapping[str, str]]:
    """The findings for `cribboard report`, which strangers may read: of buses and files only the verdicts."""
    for title, finding in run_checks(context):
        got = finding.got if title in SHOWN_IN_REPORT else ""
        yield {"part": title, "check": finding.about, "verdict": finding.verdict.value.lower(), "got": got}


def _found(check: Check, context: DoctorContext) -> Iterator[Finding]:
    try:
        yield from check(context)
    except Exception as error:  # a bug in one check must not end the others
        log.debug("check failed", exc_info=True)
        name = getattr(check, "__name__", "a check").removeprefix("check_")
        yield failed(name, "a result", f"{type(error).__name__}: {error}", "This is a bug of cribboard: report it.")
