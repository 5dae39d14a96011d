"""Files of the state folder are opened by `storage/plain_file.py` alone, which follows no link and waits for no pipe.

Every other call that opens a file by its path stands here, with the reason why it is none of that folder, or why it is
safe there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.test_imports import MODULES

METHODS = {"read_text", "read_bytes", "write_text", "write_bytes", "touch", "symlink_to", "hardlink_to"}
"""Of a Path: each opens or makes a file by its path."""
FUNCTIONS = {
    *("os.open", "os.link", "os.symlink", "os.mkfifo", "io.open", "codecs.open", "gzip.open", "tarfile.open"),
    *("sqlite3.connect", "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "shutil.move"),
}
NAMES = {"open", *METHODS, *(function.rpartition(".")[2] for function in FUNCTIONS)}
"""The last parts of the names of all these."""
TEXT_OR_BYTES = set("rwxabt+U")

PACKAGE = "a file of the package"
SYSTEM = "of the system: /proc, /sys, /etc"
NAMED = "a file that a person names: on the command line or in the settings"
TEMPORARY = "in a temporary folder of its own"
CHECKED = "check_plain comes first: SQLite or TLS opens the file itself"
LOCK = "the folder, for a lock; written files are opened by checked_file"

MAY_OPEN = {
    "firmware_host.storage.plain_file": "opens the files of the state folder, each folder of a path in the one before",
    "firmware_host.storage.atomic_file": "the folder, to sync it",
    "firmware_host.storage.document_file": LOCK,
    "firmware_host.storage.sqlite_file": CHECKED,
    "firmware_host.club_server.backup": f"{CHECKED}; {TEMPORARY}; the file before gets a second name beside it",
    "firmware_host.league.database": "of a server of a league, which has no state folder",
    "firmware_host.league.authority": NAMED,
    "firmware_host.league.nats_config": NAMED,
    "firmware_host.startup.club_joining": NAMED,
    "firmware_host.cli.draw": NAMED,
    "firmware_host.cli.jsonl": NAMED,
    "firmware_host.cli.league": NAMED,
    "firmware_host.cli.replay": NAMED,
    "firmware_host.config.board_plans": f"{PACKAGE}; {NAMED}",
    "firmware_host.config.settings_sources": NAMED,
    "firmware_host.doctor.mqtt": NAMED,
    "firmware_host.doctor.report": f"{NAMED}, which must not exist yet",
    "firmware_host.simulation.fault_plan": NAMED,
    "firmware_host.telemetry.broker": f"{SYSTEM}; {NAMED}",
    "firmware_host.circuits.sources": PACKAGE,
    "firmware_host.config.languages": PACKAGE,
    "firmware_host.doctor.boot_config": PACKAGE,
    "firmware_host.doctor.expected_times": PACKAGE,
    "firmware_host.fabrication.dimensions": PACKAGE,
    "firmware_host.club_server.acc_points": PACKAGE,
    "web_panel.club.papers": PACKAGE,
    "web_panel.pages.style_sheets": PACKAGE,
    "firmware_host.doctor.machine": SYSTEM,
    "firmware_host.telemetry.local_broker": SYSTEM,
    "web_panel.security.local_sockets": SYSTEM,
    "firmware_host.doctor.benchmark": f"{TEMPORARY}; {PACKAGE}; {SYSTEM}",
    "firmware_host.doctor.smoke": TEMPORARY,
    "firmware_host.speech.piper": TEMPORARY,
    "firmware_host.startup.club_demo": TEMPORARY,
    "web_panel.club.computer": TEMPORARY,
}
"""Module -> why it may open files by their paths."""


def opens_by_path(call: ast.Call) -> bool:
    """Whether a call opens a file by its path, and not by `opener=open_plain` or a descriptor."""
    if getattr(call.func, "id", getattr(call.func, "attr", "")) not in NAMES:
        return False
    called = ast.unparse(call.func)
    if called == "open":
        is_plain = any(each.arg == "opener" and ast.unparse(each.value) == "open_plain" for each in call.keywords)
        by_descriptor = bool(call.args) and ast.unparse(call.args[0]).startswith(("open_in(", "open_plain("))
        return not is_plain and not by_descriptor
    if called in FUNCTIONS:
        return ast.unparse(call) not in ("sqlite3.connect(':memory:')", "sqlite3.connect(MEMORY)")
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    modes = [each.value for each in call.args[:1] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return name in METHODS or (name == "open" and any(mode and set(mode) <= TEXT_OR_BYTES for mode in modes))


def openers() -> Iterator[str]:
    for module, file in MODULES:
        if module.startswith(("firmware_host", "web_panel")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            if any(isinstance(node, ast.Call) and opens_by_path(node) for node in ast.walk(tree)):
                yield module


def test_files_of_the_state_folder_are_opened_by_one_module() -> None:
    assert set(openers()) == set(MAY_OPEN)


def test_every_way_to_open_a_file_is_seen() -> None:
    seen = ("open(path)", "open(path, 'w')", "os.open(path, 0)", "path.read_bytes()", "path.open('rb')")
    other = ("open(path, 'rb', opener=open_plain)", "open(open_in(folder, name, 0), 'wb')", "Journal.open(path)")
    calls = {text: ast.parse(text, mode="eval").body for text in (*seen, *other)}
    assert {text for text, call in calls.items() if isinstance(call, ast.Call) and opens_by_path(call)} == set(seen)
