"""The sweep: every request of a client times every fault, until no fault finds a request.

  two plain runs ─▶ slots ─▶ plans ─▶ runs ─▶ cells ─▶ (deeper: new slots ─▶ plans …) ─▶ matrix

How a run is made is not known here: processes and functions are swept by the same rules. Nothing
in this room opens a socket or starts a process.
"""
