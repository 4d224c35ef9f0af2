"""
What a request carries of who was let in.
"""

from __future__ import annotations

import pytest

from reticle.errors import LocalMisuse
from reticle.model.trust import LOCAL
from reticle.transport.trace import principal_of, trace_of


class Plain:
    """
    A request of an embedding application, without a trace of its own.
    """


def test_nobody_speaks_without_a_guard() -> None:
    """
    A resource that was reached around the guard fails instead of trusting.
    """
    request = Plain()
    with pytest.raises(LocalMisuse):
        principal_of(request)  # type: ignore[arg-type]  # as much of a request as is looked at
    trace_of(request).principal = LOCAL  # type: ignore[arg-type]  # as above
    assert principal_of(request) == LOCAL  # type: ignore[arg-type]  # as above
