"""The buses: whether their nodes are there and open for us, and who holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from board_drivers.header import CHIPS, chip_of_header
from board_drivers.lines import ChipSeen
from board_drivers.nodes import GPIO, I2C, SPI, Bus, refused_node
from board_drivers.oled import BUS
from board_drivers.pi import LIGHTS_SELECT, SENSORS_SELECT
from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, LIGHTS_ENABLE, PIEZO, SENSOR_LATCH, header_pins
from board_drivers.ports import DriverFault
from firmware_host.doctor.findings import Finding, Patient, ill, look, note, of_driver, sound
from firmware_host.doctor.machine import Program

GROUPS = (GPIO.group, SPI.group, I2C.group, "dialout")
NODES: Mapping[str, Bus] = {
    **{f"/dev/spidev0.{select}": SPI for select in (SENSORS_SELECT, LIGHTS_SELECT)},
    f"/dev/i2c-{BUS}": I2C,
}
SERIAL = "/dev/serial/by-id"
USES = (LIGHTS_ENABLE, PIEZO, *KEYPAD_ROWS, *KEYPAD_COLUMNS)
"""The lines that every board drives and reads one by one; one whose sensors are not behind a scanner has the latch."""


def our_lines(patient: Patient) -> Mapping[int, str]:
    """GPIO number -> what it is for."""
    uses = (SENSOR_LATCH, *USES) if patient.has_own_chain else USES
    return {header_pins().bcm(use): use.replace("_", " ") for use in uses}


def check_groups(patient: Patient) -> Iterable[Finding]:
    machine, needed = patient.machine, GROUPS if patient.needs_header else GROUPS[-1:]
    expected = f"{', '.join(needed)} among the groups"
    missing = [group for group in needed if group not in machine.groups()]
    if machine.user() == "root":
        yield note("groups", "root may open everything; a board had better run as its own user", expected)
    elif missing:
        mend = f"sudo usermod -aG {','.join(missing)} {machine.user()}, then log in again."
        yield ill("groups", expected, f"{machine.user()} is not in {', '.join(missing)}", mend)
    else:
        yield sound("groups", expected, f"{machine.user()} is in all of them")


def check_header(patient: Patient) -> Iterable[Finding]:
    """The gpiochip of the header, and who holds our lines of it."""
    chips = chips_seen(patient)
    if not chips:
        node = f"/dev/gpiochip{CHIPS[0]}"
        yield of_driver(GPIO.name, refused_node(GPIO, node, patient.machine.refusal(node)))
        return
    try:
        chip = chip_of_header({number: seen.label for number, seen in chips.items()})
    except DriverFault as fault:
        yield of_driver(GPIO.name, fault)
        return
    yield sound(GPIO.name, "the chip that has the header", f"/dev/gpiochip{chip} is {chips[chip].label}")
    yield from _lines_held(our_lines(patient), chips[chip], patient.machine.users_of(f"/dev/gpiochip{chip}"))


def _lines_held(ours: Mapping[int, str], chip: ChipSeen, users: Iterable[Program]) -> Iterator[Finding]:
    """A running board holds all its lines, and that is well; whoever else does is in its way."""
    programs, expected = list(users), "free lines, or all of them a running board's"
    if any(program.is_a_board for program in programs):
        yield note("lines", f"held by {_all(programs)}", expected)
    elif len({chip.users.get(bcm, "") for bcm in ours}) == 1 and chip.users:
        one = next(iter(chip.users.values()))
        yield note("lines", f"all held under the name {one}, as by a running board; sudo tells whose", expected)
    else:
        yield from _lines_in_the_way(ours, chip, programs)


def _lines_in_the_way(ours: Mapping[int, str], chip: ChipSeen, programs: Sequence[Program]) -> Iterator[Finding]:
    for bcm, use in ours.items():
        if user := chip.users.get(bcm):
            got = f"{user} holds it{f': {_all(programs)}' if programs else ''}"
            mend = f"`gpioinfo | grep -w GPIO{bcm}` shows it. If it is a program, end it; what the kernel itself holds"
            yield look(f"GPIO{bcm}", f"a free line for the {use}", got, f"{mend} comes from a dtoverlay in config.txt.")


def check_nodes(patient: Patient) -> Iterable[Finding]:
    for node, bus in NODES.items():
        about = f"{bus.name} {node.removeprefix('/dev/')}"
        users = patient.machine.users_of(node)
        if users:
            yield _held(about, node, users)
        elif number := patient.machine.refusal(node):
            yield of_driver(about, refused_node(bus, node, number))
        else:
            yield sound(about, f"{node} to open", "it opens, and nobody else has it open")


def _held(about: str, node: str, users: Iterable[Program]) -> Finding:
    programs, expected = list(users), f"{node} in the hands of one board at most"
    strangers = [program for program in programs if not program.is_a_board]
    if not strangers and len(programs) == 1:
        return note(about, f"in use by {_all(programs)}", expected)
    mend = f"End all but one: sudo kill {' '.join(str(program.pid) for program in strangers or programs[1:])}."
    return ill(about, expected, f"in use by {_all(programs)}", mend)


def check_serial(patient: Patient) -> Iterable[Finding]:
    """What hangs on USB and speaks serial; whether it is a scanner only its own hello can tell."""
    names = patient.machine.names(SERIAL)
    if not names:
        yield note("serial", "nothing on USB; a board on the header needs nothing", "perhaps a scanner or a reader")
    for name in names:
        node = f"{SERIAL}/{name}"
        number = patient.machine.refusal(node)
        yield (
            of_driver("serial", refused_node(Bus("serial", "dialout", "Plug it in again."), node, number))
            if number
            else sound("serial", f"{node} to open", f"{name} opens")
        )


def chips_seen(patient: Patient) -> Mapping[int, ChipSeen]:
    """Those of the gpiochips on which a header may be that answer us."""
    asked = ((number, patient.machine.chip(f"/dev/gpiochip{number}", tuple(our_lines(patient)))) for number in CHIPS)
    return {number: seen for number, seen in asked if seen}


def holders(patient: Patient) -> str:
    """Who uses a bus or a line of the board now, in words; nothing if nobody does.

    The kernel tells of a line that is held whoever asks; whose program it is, it tells its owner and root.
    """
    machine = patient.machine
    nodes = [*NODES, *(f"/dev/gpiochip{number}" for number in CHIPS)]
    if programs := {program.pid: program for node in nodes for program in machine.users_of(node)}:
        return _all(programs.values())
    users = {user for chip in chips_seen(patient).values() for user in chip.users.values()}
    return f"a program that calls itself {', '.join(sorted(users))}" if users else ""


def _all(programs: Iterable[Program]) -> str:
    return ", ".join(map(str, programs))
