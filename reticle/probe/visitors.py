"""
Who gets to see anything of the probe: a browser on this machine that calls the app by a name of this machine.

An answer with the tag that left the machine would tell strangers where a debugging tool listens. Both lists
can be widened by hand, for containers and for development names: ``RETICLE_PROBE_PEERS`` (addresses or
networks) and ``RETICLE_PROBE_HOSTS`` (names, ``*.test`` for all below one), each separated by commas.
"""

from __future__ import annotations

import functools
import ipaddress
import os
import re
from typing import Final

from reticle.probe.insertion.candidates import Lookup
from reticle.probe.words import Skip

_FOR: Final = re.compile(r'\bfor="?(?:\[([^\]]+)\]|([^\s;,":]+))', re.IGNORECASE)

FORWARDED: Final = ("x-forwarded-for", "x-real-ip", "forwarded", "x-forwarded-host")
"""What a proxy says of a visitor."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def refused(peer: str | None, header: Lookup) -> Skip | None:
    """
    Why this visitor sees nothing of the probe; None where it may.

    A proxy on this machine says for whom it asks (``X-Forwarded-For``, ``Forwarded`` of RFC 7239): that
    visitor counts too, and one whom it hides is none of this machine's.
    """
    forwarded = header("x-forwarded-for") or header("x-real-ip")
    standard, asked = header("forwarded"), header("x-forwarded-host")
    host = header("host") or ""
    addresses, names = [peer or ""], [host]
    if forwarded:
        addresses += [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    if standard is not None:
        told = (plain or bracketed for bracketed, plain in _FOR.findall(standard))
        addresses += [hop.strip() for hop in told if hop.strip()]
    if asked is not None:
        names.append(asked)
    for address in addresses:
        if not (_is_near(address, "") or _is_near(address, os.environ.get("RETICLE_PROBE_PEERS", ""))):
            return Skip.PEER
    for name in names:
        if not (_is_ours(name, "") or _is_ours(name, os.environ.get("RETICLE_PROBE_HOSTS", ""))):
            return Skip.HOST
    return None


@functools.lru_cache(maxsize=64)
def is_here(address: str, host: str) -> bool:
    """
    Whether a browser on this machine asks, by a name of this machine: where no proxy says anything, as nearly
    always, such a visitor is not refused.
    """
    return _is_near(address, "") and _is_ours(host, "")


@functools.lru_cache(maxsize=64)
def _is_near(address: str, allowed: str) -> bool:
    try:
        # a scope (fe80::1%eth0) is the interface, and a mapped address is the one inside
        found = ipaddress.ip_address(address.partition("%")[0].strip("[]"))
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return found.is_loopback or any(found in network for network in _networks(allowed))


def _networks(allowed: str) -> list[Network]:
    networks = []
    for text in filter(None, (part.strip() for part in allowed.split(","))):
        try:
            networks.append(ipaddress.ip_network(text, strict=False))
        except ValueError:
            continue  # a word that is no address allows nobody
    return networks


@functools.lru_cache(maxsize=64)
def _is_ours(host: str, allowed: str) -> bool:
    name = host_name(host)
    if name == "localhost" or name.endswith(".localhost") or _is_near(name, ""):
        return True
    return any(
        name == pattern or (pattern.startswith("*.") and name.endswith(pattern[1:]))
        for pattern in (part.strip().lower() for part in allowed.split(","))
        if pattern
    )


def host_name(host: str) -> str:
    """
    The name in a ``Host``, without its port, in lower case.
    """
    name = host.strip().lower()
    if name.startswith("["):
        return name.partition("]")[0][1:]
    return name.rpartition(":")[0] if name.count(":") == 1 else name


def is_same_origin(header: Lookup) -> bool:
    """
    Whether the page that asks is one of this app's own, by its ``Origin``, which no page can choose.
    """
    scheme, _, place = (header("origin") or "").partition("://")
    return (
        scheme in {"http", "https"}
        and bool(place)
        and place.lower() == (header("host") or "").strip().lower()
    )
