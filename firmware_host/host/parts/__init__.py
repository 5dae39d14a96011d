"""The parts of the host thread. Only `host/loop.py` uses them; other threads see a `Snapshot` and `Health`."""
