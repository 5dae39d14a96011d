from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.scheduling import LONG, LongFilesFirst

ROOT = Path(__file__).parents[1]
MANY = "tests/web_panel/test_many.py"
BOARDS = [f"tests/pcb/test_kicad_board.py::test_{name}[{board}]" for name in "xy" for board in ("one-61", "two-121-4")]
INSTALLED = [f"tests/install/test_{name}.py::test[{debian}]" for debian in ("bookworm", "trixie") for name in "xy"]


class Worker:
    """Takes tests and does not run them."""

    shutting_down = False

    def __init__(self, collection: list[str]) -> None:
        self.gateway = SimpleNamespace(id="gw0")
        self.collection, self.begun = collection, list[str]()

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.begun += [self.collection[number] for number in numbers]


def test_what_takes_long_is_next_and_each_debian_and_board_is_by_itself() -> None:
    collection = [f"{MANY}::test_{number}" for number in range(5)]
    collection += [f"tests/test_{name}.py::test_{number}" for name in "xy" for number in range(3)] + INSTALLED + BOARDS
    worker: Any = Worker(collection)
    options = SimpleNamespace(loadscopereorder=True, tx=["popen"], maxprocesses=None, numprocesses=1)
    config: Any = SimpleNamespace(option=options, getvalue=lambda name: getattr(options, name))
    scheduling = LongFilesFirst(config)
    scheduling.add_node(worker)
    scheduling.add_node_collection(worker, collection)
    scheduling.schedule()
    assert worker.begun == collection[:5]
    scopes = [list(scope) for scope in scheduling.workqueue.values()]
    assert scopes[:2] == [INSTALLED[:2], INSTALLED[2:]]
    assert scopes[-2:] == [BOARDS[::2], BOARDS[1::2]]


def test_what_takes_long_exists() -> None:
    assert [place for place in LONG if not (ROOT / place.split()[0]).exists()] == []
