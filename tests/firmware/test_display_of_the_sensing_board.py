"""A display at J3: the firmware on an emulated chip, the I2C lines as it moves them, and the drivers of the host."""

from __future__ import annotations

import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from board_drivers.oled import OledDisplay
from board_drivers.oled_scoreboard import OledScoreboard
from board_drivers.picture_frames import picture_payloads
from board_drivers.ports import DriverError, SensorFrame
from board_drivers.scan_protocol import MAX_DISPLAY_PAYLOAD, ErrorCode, Frame, FrameDecoder, Kind, encode
from board_drivers.serial_display import BLOCK_BYTES, SensingBoardBus
from board_drivers.serial_scanner import BYTE_S, SerialScanner, port_finder
from board_drivers.simulated import SimulatedBoard
from board_drivers.simulated_firmware import SNAPSHOT_S
from firmware_host.board.matrix import column_count
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan
from firmware_host.config.matrix_wiring import matrix_wiring
from tests.board_drivers.chips import OledChip
from tests.firmware.driving import SCAN_S, TIMEOUT_S, await_frame
from tests.firmware.rig import SensingBoard, UsbCable, variables_of

# luma.oled 3.16 calls a method that Pillow 14 removes.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

CLASSIC = load_plan("classic-61")
WIRING = matrix_wiring(CLASSIC, CLASSIC)
PAGE = [("Ann: 3 more, to 36", 1), ("47   52", 3)]
EMPTY: SensorFrame = frozenset()
BLOCKS = 400


class Desk:
    """A board with a display on its cable. A thread scans it as the host does."""

    def __init__(self, build: Callable[..., Path], cable: UsbCable, kind: str, address: int) -> None:
        assert WIRING
        self.chip = SensingBoard(build("all", "rig"), WIRING.columns, len(WIRING.lights), cable.far_end)
        self.chip.command(f"display {address:x}")
        self.oled = OledChip(first_column=2 if kind == "sh1106" else 0, address=address)
        self.scanner = SerialScanner(port_finder(str(cable.by_id)), CLASSIC.strip_count, matrix=WIRING)
        await_frame(self.scanner, EMPTY)
        self.faults: list[DriverError] = []
        self._stop = Event()
        self._thread = Thread(target=self._scan)
        self._thread.start()
        self.display = OledDisplay(kind, bus=SensingBoardBus(self.scanner))

    def close(self) -> None:
        self.display.close()
        self._stop.set()
        self._thread.join()
        self.scanner.close()
        self.chip.close()

    def await_page(self, page: list[tuple[str, int]]) -> None:
        reference = SimulatedBoard(sensor_count=1, led_count=1)
        reference.scoreboard.show(page)
        self.await_display(lambda: self.oled.is_on and self.oled.pixels() == reference.oled_pixels())

    def await_display(self, is_so: Callable[[], bool]) -> None:
        until_s = time.monotonic() + TIMEOUT_S
        while not is_so():
            assert time.monotonic() < until_s, self.display.fault_text
            time.sleep(SCAN_S)
            self.chip.update_display(self.oled)

    def await_fault(self) -> str:
        self.await_display(lambda: bool(self.display.fault_text))
        return self.display.fault_text

    def _scan(self) -> None:
        while not self._stop.wait(SCAN_S):
            try:
                self.scanner.scan()
            except DriverError as fault:
                self.faults.append(fault)


@pytest.fixture
def desk(request: pytest.FixtureRequest, build: Callable[..., Path], cable: UsbCable) -> Iterator[Desk]:
    made = Desk(build, cable, *getattr(request, "param", ("sh1106", 0x3C)))
    yield made
    made.close()


def test_page_is_shown_and_makes_no_scan_longer(desk: Desk, build: Callable[..., Path]) -> None:
    """In emulated cycles: how busy this computer is makes no difference."""
    desk.chip.times()
    OledScoreboard(desk.display).show(PAGE)
    desk.await_page(PAGE)
    assert desk.scanner.session.hello and desk.scanner.session.hello.display == 0x3C
    scan_ms, stack = desk.chip.times().scan_us / 1000, int(desk.chip.command("stack"))
    print(f"{scan_ms=} {stack=}")
    assert 1.0 < scan_ms < 5.0
    assert 40 < stack < 2048 - 200 - variables_of(build("all", "rig") / "hole_matrix.elf")
    assert not desk.faults


@pytest.mark.slow
@pytest.mark.parametrize("desk", [("ssd1306", 0x3D)], indirect=True)
def test_other_chip_at_the_other_address_shows_a_page_and_is_dark_at_the_end(desk: Desk) -> None:
    OledScoreboard(desk.display).show(PAGE)
    desk.await_page(PAGE)
    desk.display.close()
    desk.await_display(lambda: not desk.oled.is_on)


@pytest.mark.slow
def test_display_that_is_unplugged_is_a_fault_and_gets_its_page_back(desk: Desk) -> None:
    OledScoreboard(desk.display).show(PAGE)
    desk.await_page(PAGE)
    desk.chip.command("display 0")
    assert "on J3 of the circuit board, got no answer" in desk.await_fault()
    desk.oled.unplug()
    desk.oled.plug_in()
    desk.chip.command("display 3c")
    desk.await_page(PAGE)
    assert not desk.faults


@pytest.mark.slow
@pytest.mark.parametrize("line", [4, 5])
def test_line_that_is_held_low_stops_no_scan(desk: Desk, line: int) -> None:
    OledScoreboard(desk.display).show(PAGE)
    desk.await_page(PAGE)
    desk.chip.times()
    desk.chip.command(f"stuck {line} 1000000")
    desk.await_fault()
    assert not desk.faults and desk.chip.times().scan_us < 5000
    desk.chip.command("stuck 0 0")
    desk.await_page(PAGE)


@pytest.mark.slow
def test_display_that_waits_for_clocks_after_a_reset_is_freed(desk: Desk) -> None:
    OledScoreboard(desk.display).show(PAGE)
    desk.await_page(PAGE)
    desk.chip.command("stuck 4 8")
    OledScoreboard(desk.display).show(PAGE[1:])
    desk.await_page(PAGE[1:])
    assert not desk.display.fault_text


@pytest.mark.slow
def test_page_is_drawn_again_after_noise_and_after_a_reset(desk: Desk, cable: UsbCable) -> None:
    scoreboard = OledScoreboard(desk.display)
    scoreboard.show(PAGE)
    desk.await_page(PAGE)
    passed = iter(range(10**9))
    cable.to_chip = lambda sent: bytes(byte ^ 0x20 if next(passed) == 300 else byte for byte in sent)
    scoreboard.show(PAGE[1:])
    desk.await_page(PAGE[1:])
    desk.chip.reset()
    scoreboard.show(PAGE)
    desk.await_page(PAGE)


@pytest.mark.slow
def test_no_display_is_no_fault(build: Callable[..., Path], cable: UsbCable) -> None:
    desk = Desk(build, cable, "sh1106", 0)
    try:
        OledScoreboard(desk.display).show(PAGE)
        desk.oled.address = 0x3C
        desk.chip.command("display 3c")
        assert not desk.display.fault_text
        desk.await_page(PAGE)
    finally:
        desk.close()


@pytest.mark.slow
@pytest.mark.parametrize("plan", [CLASSIC, load_plan("continuous-121-4")], ids=lambda plan: plan.id)
def test_full_wire_of_pictures_loses_nothing_and_makes_no_scan_longer(
    build: Callable[..., Path], plan: BoardPlan
) -> None:
    """Without a pause between the frames, of the display and of lights. In emulated cycles."""
    blocks = [Frame(Kind.DISPLAY, number % 256, bytes([0x3C, 0x40, *range(BLOCK_BYTES)])) for number in range(BLOCKS)]
    colours = [(number % 8, 9, 99) for number in range(len(plan.holes))]
    lights = [Frame(Kind.LIGHTS, 1, payload) for payload in picture_payloads(colours, 5)]
    sent = b"".join(
        encode(frame) for number, block in enumerate(blocks) for frame in ([block] if number % 40 else [*lights, block])
    )
    near, far = socket.socketpair()
    chip = SensingBoard(build("all", "rig"), column_count(plan), len(plan.holes), far)
    chip.command("display 3c")
    decoder = FrameDecoder()
    await_kind(near, decoder, Kind.SNAPSHOT)
    chip.times()
    chip.command("written")
    near.sendall(sent + encode(Frame(Kind.PING, 1)))
    answers = await_kind(near, decoder, Kind.PONG)
    scan_ms, written = chip.times().scan_us / 1000, chip.command("written").splitlines()
    chip.close()
    near.close()
    far.close()
    kinds = Counter(frame.kind for frame in answers)
    print(f"{scan_ms=} {kinds=}")
    assert written == [block.payload[1:].hex() for block in blocks] and decoder.corrupt_frames == 0
    assert [frame.payload for frame in answers if frame.kind == Kind.DISPLAY_ANSWERED] == [
        bytes([block.sequence, 1]) for block in blocks
    ]
    assert kinds[Kind.LIGHTS_RECEIVED] == len(lights) * BLOCKS // 40 and Kind.ERROR not in kinds
    assert kinds[Kind.SNAPSHOT] > 0.8 * len(sent) * BYTE_S / SNAPSHOT_S and 1.0 < scan_ms < 5.0


def await_kind(near: socket.socket, decoder: FrameDecoder, kind: Kind) -> list[Frame]:
    """All frames that the chip sends, up to one of this kind."""
    near.settimeout(TIMEOUT_S)
    frames = list[Frame]()
    while kind not in [frame.kind for frame in frames]:
        frames += decoder.feed(near.recv(4096))
    return frames


ANSWERS = (
    (bytes([0x3C, 0, 0xE3]), Kind.DISPLAY_ANSWERED, bytes([1])),
    (bytes([0x3C]), Kind.DISPLAY_ANSWERED, bytes([1])),
    (bytes([0x3D, 0, 0xE3]), Kind.DISPLAY_ANSWERED, bytes([0])),
    (bytes([0x3C] * MAX_DISPLAY_PAYLOAD), Kind.DISPLAY_ANSWERED, bytes([1])),
    (bytes([0x3C] * (MAX_DISPLAY_PAYLOAD + 1)), Kind.ERROR, b""),
    (b"", Kind.ERROR, b""),
)


def test_firmware_answers_frames_for_a_display(build: Callable[..., Path], cable: UsbCable) -> None:
    """Frames may be lost while the chip is starting, so all are repeated."""
    import serial

    chip = SensingBoard(build("all", "rig"), 8, 125, cable.far_end)
    chip.command("display 3c")
    refused = bytes([ErrorCode.UNKNOWN_COMMAND, Kind.DISPLAY])
    expected = {
        (kind, bytes([number]) + answer if answer else refused + bytes([number]))
        for number, (_, kind, answer) in enumerate(ANSWERS)
    }
    decoder, seen, until_s = FrameDecoder(), set[tuple[int, bytes]](), time.monotonic() + TIMEOUT_S
    try:
        with serial.Serial(str(cable.by_id), 115200, timeout=0.05) as port:
            while not expected <= seen:
                assert time.monotonic() < until_s, expected - seen
                for number, (payload, _, _) in enumerate(ANSWERS):
                    port.write(encode(Frame(Kind.DISPLAY, number, payload)))
                seen |= {(frame.kind, frame.payload) for frame in decoder.feed(port.read(512))}
    finally:
        chip.close()
    answers = [payload for kind, payload in seen if kind == Kind.DISPLAY_ANSWERED]
    assert len(answers) == len({answer[:1] for answer in answers}), "one answer to each frame"
