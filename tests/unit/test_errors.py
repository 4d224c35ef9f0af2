"""
Failures carry what the peer and the log are told.
"""

from __future__ import annotations

from reticle.errors import ConfigurationFault, PeerFault, Refusal, ReticleError


def test_a_failure_reads_as_its_sentence() -> None:
    """
    A log or a traceback shows what was at fault, not an empty name.
    """
    failures: list[ReticleError] = [
        Refusal("code", "It is so."),
        ConfigurationFault("It is so.", "Mend it."),
        PeerFault("code", "It is so."),
    ]
    assert [str(failure) for failure in failures] == ["It is so."] * 3


def test_a_refusal_has_details_of_its_own() -> None:
    """
    What one call adds to its refusal is not seen by another's.
    """
    first, second = Refusal("a", "m"), Refusal("a", "m")
    first.details["x"] = 1
    assert (second.details, second.recovery) == ({}, "")
    given: dict[str, object] = {"n": 1}
    assert Refusal("a", "m", "r", given).details == {"n": 1}


def test_a_configuration_fault_is_a_refusal_with_its_next_step() -> None:
    """
    The command line shows it as any refusal: what is wrong, then what to do.
    """
    fault = ConfigurationFault("m", "n")
    assert (fault.code, fault.message, fault.recovery) == ("bad_configuration", "m", "n")


def test_a_broken_protocol_is_an_invalid_request_unless_said_otherwise() -> None:
    """
    JSON-RPC's number for it is -32600.
    """
    assert (PeerFault("c", "m").jsonrpc_code, PeerFault("c", "m", -32700).jsonrpc_code) == (-32600, -32700)
