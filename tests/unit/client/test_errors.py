"""
What a script that uses the client reads in its traceback.
"""

from __future__ import annotations

from reticle.client.errors import Refused, RpcError, StreamEnded


def test_each_failure_reads_as_a_sentence() -> None:
    """
    Status and words of a refusal, the number of an error, whether the end was planned.
    """
    assert str(Refused(503, "starting")) == "HTTP 503: starting"
    assert str(Refused(404, "")) == "HTTP 404: no reason given"
    assert str(RpcError(-32601, "no such method")) == "no such method (-32601)"
    assert str(StreamEnded({})) == "the daemon stopped (it said farewell)"
    assert str(StreamEnded(None)) == "the stream ended without a farewell"


def test_a_farewell_makes_an_end_planned() -> None:
    """
    Also one that says nothing: a script then waits for the daemon to come back.
    """
    assert [StreamEnded({}).planned, StreamEnded(None).planned] == [True, False]
