"""The least time from a peg or a key to light, display and phone, computed from the wiring and the settings.

Rule: nothing is measured here. Numbers of bytes and clock rates come from the drivers, periods from the default
settings, and what the chips add from their datasheets.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from board_drivers import keypad_matrix, light_chain, sensor_chain
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.config.settings import Settings
from firmware_host.tracking.timing import Timing

BOARD, LONGEST_BOARD = "classic-61", "continuous-121-4"
SENSOR_PERIOD_MS = 50.0
"""A DRV5032AJ samples 20 times a second (datasheet)."""
LIGHT_PERIOD_MS = 1 / 19
"""An APA102 shows a new colour within one period of its 19 kHz (datasheet)."""
DISPLAY_MS = 25.0
"""1,024 bytes and their addresses over I2C at 400 kHz, nine clocks a byte."""


class Floor(Struct, frozen=True):
    """The least time that a stage takes, on average and at worst."""

    mean_ms: float
    worst_ms: float

    def __add__(self, other: Floor) -> Floor:
        return Floor(self.mean_ms + other.mean_ms, self.worst_ms + other.worst_ms)


def always(ms: float) -> Floor:
    """A stage that never varies."""
    return Floor(ms, ms)


def chain_ms(plan: BoardPlan) -> float:
    """One byte a strip, and the one past the end."""
    return 1e3 * (plan.strip_count + 1) * sensor_chain.BITS / sensor_chain.RATE_HZ


def lights_bytes(plan: BoardPlan) -> int:
    return len(light_chain.encode([light_chain.DARK] * plan.led_count, light_chain.DEFAULT_BRIGHTNESS))


def lights_ms(plan: BoardPlan) -> float:
    return 1e3 * lights_bytes(plan) * 8 / light_chain.rate_hz(plan.led_count) + LIGHT_PERIOD_MS


PLAN, LONGEST_PLAN = load_plan(BOARD), load_plan(LONGEST_BOARD)
SETTINGS, TIMING = Settings(state_folder=Path()), Timing()

SENSOR = Floor(SENSOR_PERIOD_MS / 2, SENSOR_PERIOD_MS)
SCAN = Floor(500 / SETTINGS.scan_hz, 1000 / SETTINGS.scan_hz)
CHAIN, LIGHTS, DISPLAY = always(chain_ms(PLAN)), always(lights_ms(PLAN)), always(DISPLAY_MS)
SETTLED, SETTLED_AS_OWED = always(1000 * SETTINGS.settle_s), always(1000 * TIMING.owed_settle_s)
KEY_SCAN_MS = 1000 * keypad_matrix.SCAN_S
KEY = Floor((keypad_matrix.EQUAL_SCANS - 1) * KEY_SCAN_MS, keypad_matrix.EQUAL_SCANS * KEY_SCAN_MS)

PEG_TO_LIGHT = SENSOR + SCAN + CHAIN + LIGHTS
PEG_TO_DISPLAY = SENSOR + SCAN + CHAIN + SETTLED_AS_OWED + DISPLAY
KEY_TO_DISPLAY = KEY + DISPLAY
