"""The doctor's rounds: which checks there are, in which order, for a real board and for a simulated one."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence

from firmware_host.doctor import boot_config, buses, computer, keeping, parts, scanner
from firmware_host.doctor.findings import Check, Finding, Patient, ill
from firmware_host.settings import Settings

log = logging.getLogger(__name__)

Rounds = Mapping[str, Sequence[Check]]

COMPUTER = (computer.check_model, computer.check_system, computer.check_clock, computer.check_libraries)
GAMES = (keeping.check_folder, keeping.check_journal, keeping.check_phones)

SIMULATED: Rounds = {"The computer": COMPUTER, "The games": GAMES}
REAL: Rounds = {
    "The computer": (*COMPUTER, computer.check_power, boot_config.check_boot_config),
    "The buses": (buses.check_groups, buses.check_header, buses.check_nodes, buses.check_serial),
    "The board": (parts.check_parts, scanner.check_scanner),
    "The games": GAMES,
}
SCANNER_ALONE: Rounds = {
    "The computer": COMPUTER,
    "The buses": (buses.check_groups, buses.check_serial),
    "The board": (scanner.check_scanner,),
    "The games": GAMES,
}
"""A board without a Pi's header: the screen has its keys, lights and display."""

OPEN = ("The computer", "The board")
"""What strangers may read of in full."""


def examine(patient: Patient) -> Iterator[tuple[str, Finding]]:
    """What each check of the rounds found, with the title it stands under, as it is found."""
    for title, checks in rounds_of(patient.settings).items():
        for check in checks:
            for finding in _found(check, patient):
                yield title, finding


def rounds_of(settings: Settings) -> Rounds:
    if settings.simulate:
        return SIMULATED
    return REAL if settings.header else SCANNER_ALONE


def for_a_report(patient: Patient) -> Iterator[Mapping[str, str]]:
    """What strangers may read. Of buses and games only the verdicts: the rest names folders and people."""
    for title, finding in examine(patient):
        got = finding.got if title in OPEN else ""
        yield {"part": title, "check": finding.about, "verdict": finding.verdict.value.lower(), "got": got}


def _found(check: Check, patient: Patient) -> Iterator[Finding]:
    try:
        yield from check(patient)
    except Exception as stumble:  # a mistake of ours must not hide what the other checks find
        log.debug("the doctor stumbled", exc_info=True)
        name = getattr(check, "__name__", "a check").removeprefix("check_")
        yield ill(name, "an answer", f"{type(stumble).__name__}: {stumble}", "This is a fault of cribboard: report it.")
