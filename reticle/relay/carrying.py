"""
The second half of a start: the link to the daemon, with everything that has to be loaded for it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from reticle.relay.front import Front
from reticle.relay.options import Options
from reticle.relay.starting import Places
from reticle.relay.supervisor import Supervisor
from reticle.relay.whereabouts import Whereabouts


def supervise(front: Front, options: Options, log: Callable[[str], None]) -> Supervisor:
    """
    The link of a front, which is dialled as soon as it is ``want``-ed.
    """
    places = Places(Whereabouts(options.flags, os.environ), may_start=options.may_start)
    supervisor = Supervisor(front, places, log, time.monotonic)
    front.attach(supervisor)
    return supervisor
