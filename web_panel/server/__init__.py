"""The HTTP server of the panel: one thread for all sockets, a few for requests, and limits for each visitor.

`loop.py` reads and writes sockets, `work_queue.py` decides whose request is next, `connection.py` holds the buffers and
deadlines of one connection, `open_connections.py` counts those of each address, `limits.py` has all limits with their
reasons.
`exchange.py` is one request and its answer without sockets; h11 parses and frames HTTP/1.1 there. `wsgi_task.py` runs
the application for it. No ready server would do: those for WSGI have no limits for each address, and need a thread for
each stream.
"""
