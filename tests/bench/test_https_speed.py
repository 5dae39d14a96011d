"""What HTTPS costs: the start, the memory, and the board's half of each handshake."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import process_time

import pytest

from firmware_host.config.settings_sources import CHANGES_NAME
from firmware_host.doctor.benchmark import running_program
from firmware_host.https.authority import renew
from firmware_host.https.certificate import CertificateFiles, server_context
from tests.bench.recording import Recorder

pytestmark = pytest.mark.bench

NAME = "cards.local"


def board_s(
    server: ssl.SSLContext, client: ssl.SSLContext, session: ssl.SSLSession | None
) -> tuple[float, ssl.SSLSession | None]:
    """Processor time of the board in one handshake, and the session that the phone may resume."""
    to_board, to_phone = ssl.MemoryBIO(), ssl.MemoryBIO()
    phone = client.wrap_bio(to_phone, to_board, server_hostname=NAME, session=session)
    board = server.wrap_bio(to_board, to_phone, server_side=True)
    taken_s, is_done = 0.0, False
    while not is_done:
        is_done = goes_on(phone.do_handshake)
        began_s = process_time()
        is_done = goes_on(board.do_handshake) and is_done
        taken_s += process_time() - began_s
    goes_on(lambda: phone.read(1))  # takes the session tickets, which follow the handshake
    assert phone.session_reused is (session is not None)
    return taken_s, phone.session


def goes_on(half: Callable[[], object]) -> bool:
    """Whether one side is done, and does not wait for the other."""
    try:
        half()
    except ssl.SSLWantReadError:
        return False
    return True


def handshakes_ms(folder: Path, times: int) -> dict[str, float]:
    files = CertificateFiles(folder)
    renew(files, [NAME], datetime.now(UTC))
    server, client = server_context(files.board), ssl.create_default_context(cafile=str(files.authority))
    whole = [board_s(server, client, None) for _ in range(times)]
    resumed = [board_s(server, client, session) for _, session in whole]
    return {
        "handshake_ms": 1e3 * median(taken_s for taken_s, _ in whole),
        "resumed_handshake_ms": 1e3 * median(taken_s for taken_s, _ in resumed),
    }


def start(folder: Path) -> tuple[float, float]:
    """Processor time in seconds until the program is ready, and its memory then in MiB."""
    with running_program(folder) as program:
        return program.cpu_s, program.memory_mib


def test_cost_of_https(recorder: Recorder, tmp_path: Path) -> None:
    starts = range(recorder.pick(full=3, small=1))
    folders = tmp_path / "clear", tmp_path / "https"
    for folder in folders:
        folder.mkdir()
    (folders[1] / CHANGES_NAME).write_text("https = true\n")
    start(folders[0])
    clear = [start(folders[0]) for _ in starts]
    first_s, _ = start(folders[1])  # makes the authority and the certificate
    https = [start(folders[1]) for _ in starts]
    recorder.record(
        "https",
        {
            "clear_start_s": median(start_s for start_s, _ in clear),
            "https_start_s": median(start_s for start_s, _ in https),
            "first_https_start_s": first_s,
            "clear_mib": median(mib for _, mib in clear),
            "https_mib": median(mib for _, mib in https),
            **handshakes_ms(tmp_path / "authority", recorder.pick(full=200, small=5)),
        },
    )
