"""What the page of margins says about plugs: who feeds whom, discharges, and leads that are exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from board_drivers.light_chain import IDLE_MA
from board_drivers.serial_lights import BOARD_MA
from firmware_host.board.plan import BoardPlan
from firmware_host.circuits.netlist import CONTACT_OHM, matrix_circuit
from hardware.kicad.connectors import (
    CHIP_A,
    CONTACTS,
    DISCHARGE_KV,
    Contact,
    contact_of,
    discharge,
    mistakes,
    supply_step_v,
    wrong_plug,
)
from hardware.kicad.models import FAST, TYPICAL
from hardware.kicad.pi_supply import (
    COMPUTERS,
    PORT_A,
    SUPPLIES,
    WARNING_V,
    Computer,
    Supply,
    pi_volts,
    plugged_v,
)
from hardware.kicad.tables import Figure, table

FINDINGS = """## What the models found, and the board does not have

* **Data of USB.** The diodes that clamp conduct above the level at which the chip's own do, so the chip takes a third
  of the discharge, if its diodes are as strong as is assumed. Resistors of 22 ohm would leave it a third of that, which
  is still too much, and the maker of the CH340N wants its pins directly at the bus. The shell of the plug, which is
  ground, is touched first.
* **Display.** SDA and SCL have no part that clamps: touch ground before you take its plug. The free lines of U7 and U8,
  with 150 ohm in SDA and SCL, would end that; these four joints, for a connector that stays empty, would make more than
  12 a hole on the classic board. The board has no pull-ups for them: the module must have them.
* **5 V of the display** are behind the fuse of the board, 2 A. Modules with supply and ground exchanged exist, and
  burn. A fuse of 0.1 A in the line would save them; until then compare the print on the module before you plug it in.
* **Programmer.** Turned by half, its reset output is at 5 V of the board: put it on only as printed, without USB."""


def computers(plans: Sequence[BoardPlan]) -> Iterator[str]:
    """The supply of a Pi beside the board and at it."""
    yield "## The Raspberry Pi"
    yield ""
    yield "A Pi has its own supply; the board is at one of its ports, or at a powered hub or another computer, and then"
    yield f"takes nothing from the Pi. A Pi warns below {WARNING_V} V; a Zero has no such warning. `beside`: the board"
    yield f"is elsewhere. `feeds`: it takes the {PORT_A:g} A of a USB-A port. `plug`: the least voltage while its"
    yield f"plug goes in, {plans[0].id} and {plans[-1].id}, fast corner."
    yield ""
    figures = (
        Figure("A of the Pi", "load_a", digits=2),
        Figure("beside, V", "alone_v", digits=2),
        Figure("feeds, V", "feeding_v", digits=2),
        Figure("plug, V", "plug_v", digits=2),
        Figure("plug of the largest, V", "large_plug_v", digits=2),
    )
    rows = (
        ((computer.name, supply.name), _computer(computer, supply, plans))
        for computer in COMPUTERS
        for supply in SUPPLIES
    )
    yield from table(("computer", "supply"), figures, rows)
    yield ""
    dark = ", ".join(f"{plan.sensor_count * IDLE_MA:.0f} for {plan.id}" for plan in plans)
    yield "* The ports of a Pi 4 and 5 have a switch that limits the current; that of a Zero 2 W has none, so the empty"
    yield "  capacitors of the board pull it down. **On a Zero 2 W put the board's plug in before the Pi has power.**"
    yield "* A Pi 5 needs 5.1 V and its own cable: at 5.0 V and a poor cable it is below its warning without any board."
    yield f"* A USB-A port leaves the lights {1000 * PORT_A - BOARD_MA:.0f} mA. Dark ones alone take, in mA,"
    yield f"  {dark}."
    yield "  **Lights of a board with more than two tracks need a USB-C port that promises 1.5 A**, of a computer or a"
    yield "  powered hub; without it the holes are read and the lights stay dark."


def _computer(computer: Computer, supply: Supply, plans: Sequence[BoardPlan]) -> Mapping[str, float]:
    return {
        "load_a": computer.load_a,
        "alone_v": pi_volts(computer, 0.0, supply),
        "feeding_v": pi_volts(computer, PORT_A, supply),
        "plug_v": plugged_v(computer, plans[0], FAST, supply),
        "large_plug_v": plugged_v(computer, plans[-1], FAST, supply),
    }


def discharges(plan: BoardPlan) -> Iterator[str]:
    """Discharges into each contact."""
    circuit = matrix_circuit(plan)
    yield "## Discharges"
    yield ""
    yield f"{DISCHARGE_KV:.0f} kV by contact as in IEC 61000-4-2: 30 A after 0.8 ns, 16 A after 30 ns, 8 A after 60 ns."
    yield "`A` is the current into the chip's own diode; a chip that passes 2 kV of the human body model bears"
    yield f"{CHIP_A} A. The last figure is with {CONTACT_OHM} ohm at least between the part that clamps and the chip."
    yield ""
    figures = (
        Figure("ohm to the chip", "series_ohm"),
        Figure("at the chip, V", "pin_v"),
        Figure("A", "chip_a", digits=2),
        Figure("A with a resistor", "better_a", digits=2),
    )
    contacts = ((name, contact_of(circuit, net)) for name, net in CONTACTS.items())
    rows = (((name, contact.clamp or "none"), _discharge(contact)) for name, contact in contacts)
    yield from table(("contact", "clamped by"), figures, rows)
    yield ""
    step_v = supply_step_v(circuit, TYPICAL)
    yield f"The shell of J1 is ground. A discharge into its 5 V raises them by {step_v:.1f} V: its capacitors take it;"
    yield "the SMBJ5.0A behind the fuse holds what is slower."


def _discharge(contact: Contact) -> Mapping[str, float]:
    found = discharge(contact, FAST)
    better = discharge(replace(contact, series_ohm=max(contact.series_ohm, float(CONTACT_OHM))), FAST)
    return {**found, "series_ohm": contact.series_ohm, "better_a": better["chip_a"]}


def wrong_plugs(plan: BoardPlan) -> Iterator[str]:
    """Plugs turned by half, and leads exchanged."""
    yield "## Plugs put in wrongly"
    yield ""
    yield "USB-C fits both ways, and the board is the same both ways. The keypad's plug has no supply: turned, it reads"
    yield "key (row, column) as (5 - column, 5 - row), which the key test shows; one pin aside, a line is missing."
    yield ""
    figures = (Figure("largest, mA", "amps", 1000, 1), Figure("allowed, mA", "allowed_a", 1000))
    rows = (
        ((mistake.title,), {"amps": wrong_plug(mistake, FAST), "allowed_a": mistake.allowed_a})
        for mistake in mistakes(matrix_circuit(plan))
    )
    yield from table(("mistake",), figures, rows)
