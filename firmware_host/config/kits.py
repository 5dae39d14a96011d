"""What a board is made of: its parts, where each of them is, and the kits, which are names for sensible sets of parts.

| kit     | pegs    | lights | keys and display | what people have                                      |
|---------|---------|--------|------------------|-------------------------------------------------------|
| page    | drawn   | drawn  | page             | a screen                                              |
| wood    | by_hand | none   | page             | their own board                                       |
| desk    | by_hand | none   | pins             | their own board, and a keypad and a display on a Pi   |
| lights  | by_hand | usb    | pins             | the same, and the lights of a circuit board beside it |
| sensing | sensors | usb    | pins             | a board that reads its pegs                           |

The circuit board of the last two is on a USB cable: the kit looks for it, as with `scanner = auto`. Its keypad works
beside the other keys. A display at it shows what the page shows, where the display is on the page. Each part can be set
by itself as well.

`simulate`, `gpio` and `scanner` are older than kits and keep their meaning: without a kit, `simulate` means kit page,
or a chain of strips on the pins of a Pi. `gpio = false` means that nothing is on these pins; a board with sensors then
has its keys and its display on the page. With a scanner the lights of a chain are on the page too: the first row of
strips has one plug, and the scanner is in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.peg_source import PegSource

NO_SCANNER = "none"
"""The scanner of a board without one."""
AUTO_SCANNER = "auto"
"""The scanner that is found at the USB ports."""
PART_SETTINGS = ("kit", "simulate", "pegs", "lights", "keys", "display", "gpio", "scanner")
"""The settings that say what the parts are."""


class Kit(StrEnum):
    """A name for a set of parts."""

    PAGE = "page"
    WOOD = "wood"
    DESK = "desk"
    LIGHTS = "lights"
    SENSING = "sensing"


class LightSource(StrEnum):
    """Where the lights beside the holes are."""

    NONE = "none"
    DRAWN = "drawn"
    """On the page."""
    PINS = "pins"
    """A chain of lights on the pins of a Pi."""
    USB = "usb"
    """On the sensing board, on the cable of the scanner."""


class Where(StrEnum):
    """Where keys or display are."""

    PAGE = "page"
    PINS = "pins"
    """On the pins of a Pi."""


class Parts(Struct, frozen=True):
    """The parts of a board."""

    pegs: PegSource
    lights: LightSource
    keys: Where
    display: Where
    scanner: str = NO_SCANNER
    """The port of the scanner that reads the pegs, or `auto`."""

    @property
    def on_pins(self) -> tuple[str, ...]:
        """The settings of the parts that are on the pins of a Pi."""
        return tuple(self._on_pins())

    def _on_pins(self) -> Iterator[str]:
        if self.has_chain:
            yield "pegs"
        if self.lights is LightSource.PINS:
            yield "lights"
        if self.keys is Where.PINS:
            yield "keys"
        if self.display is Where.PINS:
            yield "display"

    @property
    def has_sensors(self) -> bool:
        """Whether something reads pegs."""
        return self.pegs is PegSource.SENSORS

    @property
    def has_lights(self) -> bool:
        """Whether there are lights beside the holes of a real board."""
        return self.lights in (LightSource.PINS, LightSource.USB)

    @property
    def has_scanner(self) -> bool:
        """Whether a scanner on a cable reads the pegs, or has the lights."""
        return self.scanner != NO_SCANNER

    @property
    def has_chain(self) -> bool:
        """Whether the pins of a Pi read the pegs."""
        return self.has_sensors and not self.has_scanner

    @property
    def is_on_page(self) -> bool:
        """Whether the page alone is the board: nothing is on pins or on a cable."""
        return not self.on_pins and not self.has_scanner

    @property
    def has_screen(self) -> bool:
        """Whether pegs, keys or the display are on the page."""
        return self.pegs is PegSource.DRAWN or Where.PAGE in (self.keys, self.display)

    @property
    def peg_sources(self) -> tuple[PegSource, ...]:
        """Where the pegs of a game may be, the usual source first. A board of the page alone needs nothing for either
        kind, so that each game may choose."""
        if not self.is_on_page:
            return (self.pegs,)
        return tuple(sorted((PegSource.DRAWN, PegSource.BY_HAND), key=lambda source: source is not self.pegs))


class PartsClash(Exception):
    """Parts that do not work together. `name`: the setting to change."""

    def __init__(self, name: str, expected: str, got: str, fix: str) -> None:
        super().__init__(f"{name}: expected {expected}, got {got}: {fix}")
        self.name = name
        self.expected = expected
        self.got = got
        self.fix = fix


class Chosen(Struct, frozen=True):
    """What the settings say about the parts; None: nothing."""

    kit: str | None = None
    simulate: bool = True
    gpio: bool = True
    scanner: str | None = None
    pegs: str | None = None
    lights: str | None = None
    keys: str | None = None
    display: str | None = None

    @property
    def kit_in_use(self) -> Kit:
        """The kit; without one, as `simulate` says."""
        if self.kit is not None:
            return Kit(self.kit)
        return Kit.PAGE if self.simulate else Kit.SENSING


PARTS_OF_KIT: Mapping[Kit, Parts] = {
    Kit.PAGE: Parts(PegSource.DRAWN, LightSource.DRAWN, Where.PAGE, Where.PAGE),
    Kit.WOOD: Parts(PegSource.BY_HAND, LightSource.NONE, Where.PAGE, Where.PAGE),
    Kit.DESK: Parts(PegSource.BY_HAND, LightSource.NONE, Where.PINS, Where.PINS),
    Kit.LIGHTS: Parts(PegSource.BY_HAND, LightSource.USB, Where.PINS, Where.PINS, AUTO_SCANNER),
    Kit.SENSING: Parts(PegSource.SENSORS, LightSource.USB, Where.PINS, Where.PINS, AUTO_SCANNER),
}
"""Kit -> its parts, before the settings of single parts."""
CHAIN_ON_PINS = Parts(PegSource.SENSORS, LightSource.PINS, Where.PINS, Where.PINS)
"""The board with sensors of settings that are older than kits."""


def parts_of(chosen: Chosen) -> Parts:
    """The parts that the settings name. Raises PartsClash for parts that do not work together."""
    parts = _with_own_parts(_parts_of_kit(chosen), chosen)
    _check_scanner(parts, chosen)
    _check_pins(parts, chosen)
    return parts


def _parts_of_kit(chosen: Chosen) -> Parts:
    kit = chosen.kit_in_use
    parts = PARTS_OF_KIT[kit]
    if chosen.kit is None and kit is Kit.SENSING:
        parts = CHAIN_ON_PINS
    parts = replace(parts, scanner=chosen.scanner or parts.scanner)
    if kit is not Kit.SENSING:
        return parts
    if not chosen.gpio:
        parts = replace(parts, keys=Where.PAGE, display=Where.PAGE)
    is_drawn = parts.lights is LightSource.PINS and (parts.has_scanner or not chosen.gpio)
    return replace(parts, lights=LightSource.DRAWN) if is_drawn else parts


def _with_own_parts(parts: Parts, chosen: Chosen) -> Parts:
    parts = replace(
        parts,
        pegs=PegSource(chosen.pegs or parts.pegs),
        lights=LightSource(chosen.lights or parts.lights),
        keys=Where(chosen.keys or parts.keys),
        display=Where(chosen.display or parts.display),
    )
    is_needed = chosen.scanner or parts.has_sensors or parts.lights is LightSource.USB
    return parts if is_needed else replace(parts, scanner=NO_SCANNER)


def _check_scanner(parts: Parts, chosen: Chosen) -> None:
    """A scanner reads sensors, or has the lights; that of a chain of strips takes the plug of the lights."""
    has_lights = parts.lights is LightSource.USB
    if not parts.has_scanner:
        if has_lights:
            fix = "set scanner = auto, or choose another place for the lights"
            name = "scanner" if chosen.scanner else "lights"
            raise PartsClash(name, "a scanner for lights on USB", "scanner = none", fix)
        return
    if not parts.has_sensors and not has_lights:
        if chosen.kit is None and chosen.pegs is None:
            raise PartsClash("scanner", "simulate = false", "simulate = true", "a simulated board needs no scanner")
        fix = "leave scanner out, or set pegs = sensors"
        raise PartsClash("scanner", "none, because nothing reads the pegs", parts.scanner, fix)
    if parts.lights is LightSource.PINS:
        fix = "leave lights out, or set scanner = none"
        raise PartsClash("lights", "drawn or none, because the scanner is in the plug of the lights", "pins", fix)


def _check_pins(parts: Parts, chosen: Chosen) -> None:
    """Without pins nothing can be on them."""
    if chosen.gpio or not parts.on_pins:
        return
    if parts.has_chain:
        fix = "set scanner = auto, or leave gpio out"
        raise PartsClash("gpio", "a scanner to read the pegs", "scanner = none", fix)
    needed = ", ".join(parts.on_pins)
    fix = f"leave gpio out, or choose another place for: {needed}"
    raise PartsClash("gpio", f"gpio = true for {needed} on the Pi's pins", "gpio = false", fix)
