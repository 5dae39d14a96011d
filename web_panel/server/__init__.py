"""The HTTP server of the panel: one thread for all sockets, a few for requests, and limits for each visitor.

`loop.py` reads and writes sockets, `work_queue.py` decides whose request is next, `connection.py` holds the buffers and
deadlines of one connection, `shares.py` counts what each address uses, `limits.py` has all limits with their reasons.
HTTP itself is parsed and written by waitress (`wsgi_task.py`), whose own server cannot be limited for each address and
needs a thread for each stream.
"""
