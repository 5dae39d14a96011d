"""The program of one board of the load test: a real host with its own journal, and two players who move its pegs.

python -m tests.club.load.board FOLDER NAME PORT CODE SPEED SCAN_HZ

The password is in FOLDER/NAME.password, and the journal in FOLDER/NAME.sqlite3. SIGTERM ends it.
"""

from __future__ import annotations

import logging
import signal
import sys
from pathlib import Path

from firmware_host.startup.club_demo import simulated_board
from firmware_host.telemetry.broker import Broker


def main(folder: Path, name: str, port: int, code: str, speed: float, scan_hz: int) -> None:
    """Play until SIGTERM."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    broker = Broker("127.0.0.1", port, name, user=name, password_file=str(folder / f"{name}.password"))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # inherited by every thread
    with simulated_board(folder, broker, code, speed, scan_hz):
        signal.sigwait({signal.SIGTERM})


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4], float(sys.argv[5]), int(sys.argv[6]))
