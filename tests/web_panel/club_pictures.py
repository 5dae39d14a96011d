"""Makes the picture of the room's screen for the README: `python -m tests.web_panel.club_pictures FOLDER`."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from threading import Thread

from PIL import Image
from playwright.sync_api import sync_playwright

from firmware_host.club.seating import set_join_code
from tests.web_panel.browsing import CHROMIUM, QUIET, close_page
from tests.web_panel.club_rig import ClubRig, begin, play_rounds
from web_panel.club.app import open_club_server

WIDTH, HEIGHT = 1920, 1080
PLAYERS, ROUNDS = 16, 5


def main(folder: Path) -> None:
    with TemporaryDirectory() as state_folder, sync_playwright() as playwright, socket() as listening:
        rig = ClubRig(Path(state_folder))
        begin(rig.file, PLAYERS)
        play_rounds(rig.file, ROUNDS)
        rig.file.change(lambda club: set_join_code(club.nights[-1], "428517"))
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        server = open_club_server(rig.app, listening)
        thread = Thread(target=server.run)
        thread.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(f"http://127.0.0.1:{server.effective_port}/")
        picture = BytesIO(page.screenshot())
        close_page(page)
        browser.close()
        server.close()
        thread.join()
    small = Image.open(picture).resize((WIDTH * 2 // 3, HEIGHT * 2 // 3), Image.Resampling.LANCZOS)
    small.save(folder / "club-room.webp", quality=80, method=6)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
