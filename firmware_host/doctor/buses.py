"""Checks of the buses: whether their device nodes exist and open, and which programs use them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from board_drivers.device_nodes import GPIO, I2C, SPI, Bus, open_error
from board_drivers.gpio_info import ChipInfo
from board_drivers.header import CHIPS, chip_of_header
from board_drivers.oled import BUS
from board_drivers.pi import DISPLAY, KEYS, LIGHTS, LIGHTS_SELECT, PEGS, SENSORS_SELECT
from board_drivers.pins import KEYPAD_COLUMNS, KEYPAD_ROWS, LIGHTS_ENABLE, PIEZO, SENSOR_LATCH, header_pins
from board_drivers.ports import DriverError
from firmware_host.doctor.findings import DoctorContext, Finding, failed, failed_driver, note, passed, warning
from firmware_host.doctor.machine import Program

GROUPS = (GPIO.group, SPI.group, I2C.group, "dialout")
NODES: Mapping[str, Bus] = {
    f"/dev/spidev0.{SENSORS_SELECT}": SPI,
    f"/dev/spidev0.{LIGHTS_SELECT}": SPI,
    f"/dev/i2c-{BUS}": I2C,
}
PART_ON_NODE: Mapping[str, str] = dict(zip(NODES, (PEGS, LIGHTS, DISPLAY), strict=True))
"""Node -> the part that needs it."""
SERIAL = "/dev/serial/by-id"
USES: Mapping[str, tuple[str, ...]] = {
    PEGS: (SENSOR_LATCH,),
    LIGHTS: (LIGHTS_ENABLE,),
    KEYS: (*KEYPAD_ROWS, *KEYPAD_COLUMNS),
}
"""Part -> its header lines, beside those of a bus. The piezo's line is taken with any of them."""


def board_lines(context: DoctorContext) -> Mapping[int, str]:
    """BCM number of each header line of the board -> its use, in words."""
    uses = (use for part, uses in USES.items() if context.has_on_header(part) for use in uses)
    return {header_pins().bcm(use): use.replace("_", " ") for use in (*uses, PIEZO)}


def check_groups(context: DoctorContext) -> Iterable[Finding]:
    """The user is in the groups that may open the devices of the board."""
    machine = context.machine
    needed = GROUPS if context.needs_header else GROUPS[-1:]
    expected = f"the groups {', '.join(needed)}"
    missing = [group for group in needed if group not in machine.groups()]
    if machine.user() == "root":
        yield note("groups", "root can open everything; run the board as a user of its own", expected)
    elif missing:
        fix = f"sudo usermod -aG {','.join(missing)} {machine.user()}, then log in again."
        yield failed("groups", expected, f"{machine.user()} is not in {', '.join(missing)}", fix)
    else:
        yield passed("groups", expected, f"{machine.user()} is in all of them")


def check_header(context: DoctorContext) -> Iterable[Finding]:
    """Finds the gpiochip of the header, and who holds our lines on it."""
    chips = open_chips(context)
    if not chips:
        node = f"/dev/gpiochip{CHIPS[0]}"
        yield failed_driver(GPIO.name, open_error(GPIO, node, context.machine.refusal(node)))
        return
    try:
        chip = chip_of_header({number: seen.label for number, seen in chips.items()})
    except DriverError as fault:
        yield failed_driver(GPIO.name, fault)
        return
    yield passed(GPIO.name, "the chip of the header", f"/dev/gpiochip{chip} is {chips[chip].label}")
    yield from _lines_held(board_lines(context), chips[chip], context.machine.users_of(f"/dev/gpiochip{chip}"))


def _lines_held(ours: Mapping[int, str], chip: ChipInfo, users: Iterable[Program]) -> Iterator[Finding]:
    """A running board holds all its lines, which is fine. Lines held by another program are a conflict."""
    programs = list(users)
    expected = "free lines, or all of them held by a running board"
    if any(program.runs_cribboard for program in programs):
        yield note("lines", f"held by {_all(programs)}", expected)
    elif len({chip.users.get(bcm, "") for bcm in ours}) == 1 and chip.users:
        one = next(iter(chip.users.values()))
        yield note("lines", f"all held by {one}, as by a running board; run with sudo to see the program", expected)
    else:
        yield from _conflicting_lines(ours, chip, programs)


def _conflicting_lines(ours: Mapping[int, str], chip: ChipInfo, programs: Sequence[Program]) -> Iterator[Finding]:
    for bcm, use in ours.items():
        if user := chip.users.get(bcm):
            got = f"{user} holds it{f': {_all(programs)}' if programs else ''}"
            fix = (
                f"Run `gpioinfo | grep -w GPIO{bcm}`. If a program holds it, end the program; a line that the kernel "
                "holds comes from a dtoverlay in config.txt."
            )
            yield warning(f"GPIO{bcm}", f"a free line for the {use}", got, fix)


def check_nodes(context: DoctorContext) -> Iterable[Finding]:
    """The device node of each part on the header opens, and no other program uses it."""
    for node, bus in NODES.items():
        if not context.has_on_header(PART_ON_NODE[node]):
            continue
        about = f"{bus.name} {node.removeprefix('/dev/')}"
        users = context.machine.users_of(node)
        if users:
            yield _held(about, node, users)
        elif number := context.machine.refusal(node):
            yield failed_driver(about, open_error(bus, node, number))
        else:
            yield passed(about, f"{node} to open", "it opens, and no other program uses it")


def _held(about: str, node: str, users: Iterable[Program]) -> Finding:
    programs = list(users)
    expected = f"one board at most on {node}"
    others = [program for program in programs if not program.runs_cribboard]
    if not others and len(programs) == 1:
        return note(about, f"in use by {_all(programs)}", expected)
    fix = f"End all but one: sudo kill {' '.join(str(program.pid) for program in others or programs[1:])}."
    return failed(about, expected, f"in use by {_all(programs)}", fix)


def check_serial(context: DoctorContext) -> Iterable[Finding]:
    """Serial devices on USB. Only the hello of a scanner shows that it is one; see scanner.py."""
    names = context.machine.names(SERIAL)
    if not names:
        yield note(
            "serial",
            "no device on USB; a board on the header needs none",
            "a scanner or a card reader, if the board has one",
        )
    for name in names:
        node = f"{SERIAL}/{name}"
        number = context.machine.refusal(node)
        yield (
            failed_driver("serial", open_error(Bus("serial", "dialout", "Plug it in again."), node, number))
            if number
            else passed("serial", f"{node} to open", f"{name} opens")
        )


def open_chips(context: DoctorContext) -> Mapping[int, ChipInfo]:
    """Number -> info of the gpiochips that may have the header and that can be opened."""
    chips = ((number, context.machine.chip(f"/dev/gpiochip{number}", tuple(board_lines(context)))) for number in CHIPS)
    return {number: chip for number, chip in chips if chip}


def board_users(context: DoctorContext) -> str:
    """The programs that use a bus or a line of the board now, in words; "" if there is none.

    The kernel shows to everybody that a line is held, but the program only to its owner and root.
    """
    machine = context.machine
    nodes = [*NODES, *(f"/dev/gpiochip{number}" for number in CHIPS)]
    if programs := {program.pid: program for node in nodes for program in machine.users_of(node)}:
        return _all(programs.values())
    users = {user for chip in open_chips(context).values() for user in chip.users.values()}
    return f"a program named {', '.join(sorted(users))}" if users else ""


def _all(programs: Iterable[Program]) -> str:
    return ", ".join(map(str, programs))
