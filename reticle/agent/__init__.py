"""
A coding agent kept in the loop: its program on a terminal of its own, and nothing more (DESIGN §9).

``supervisor`` joins the parts. The program is started by ``monitor``, a small process of its own, so that job
control, an exit code and an end of everything that was started work as under a shell.
Nothing here speaks to the daemon: what is told of a session goes through the caller, and no method of work is
ever called.
"""
