"""
The second half of a start: the link to the daemon, with everything that has to be loaded for it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from reticle.relay.front import Front
from reticle.relay.loop import Loop
from reticle.relay.options import Options
from reticle.relay.starting import Places
from reticle.relay.supervisor import Supervisor
from reticle.relay.whereabouts import Whereabouts


def carry(front: Front, loop: Loop, options: Options, log: Callable[[str], None]) -> None:
    """
    Serve the rest of the client's life.
    """
    places = Places(Whereabouts(options.flags, os.environ), may_start=options.may_start)
    supervisor = Supervisor(front, places, log, time.monotonic)
    front.attach(supervisor)
    supervisor.want(time.monotonic())
    loop.run(front, supervisor)
    supervisor.close()
