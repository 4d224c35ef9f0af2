"""
Which daemons run here.
"""

from __future__ import annotations

from pathlib import Path

from reticle.cli.discovery import find_daemons
from reticle.cli.probe import Answering, Reply, Silent
from reticle.settings import SecretText, read_settings
from reticle.storage.daemon_file import DaemonRecord, announce

NOBODY = Silent(listening=False, reason="Connection refused")


class Network:
    """
    What listens where; remembers who was asked.
    """

    def __init__(self, **replies: Reply) -> None:
        self.asked: list[str] = []
        self._replies = replies

    def __call__(self, url: str, token: SecretText | None) -> Reply:
        """
        Answer as what listens there.
        """
        del token
        self.asked.append(url)
        return self._replies.get(f"port{url.rpartition(':')[2]}", NOBODY)


def test_announced_daemons_are_asked_where_they_listen(
    runtime_dir: Path, record: DaemonRecord, other_record: DaemonRecord
) -> None:
    """
    Every daemon of this user is found, on whatever port, and --port picks one.
    """
    announce(runtime_dir, other_record)
    announce(runtime_dir, record)
    settings = read_settings({"runtime_dir": runtime_dir}, {})
    network = Network(port4401=Answering({}))
    assert [(one.port, one.is_ours) for one in find_daemons(settings, None, network)] == [
        (4400, True),
        (4401, True),
    ]
    assert [one.url for one in find_daemons(settings, 4401, network)] == ["http://127.0.0.1:4401"]
    assert network.asked == ["http://127.0.0.1:4400", "http://127.0.0.1:4401", "http://127.0.0.1:4401"]


def test_without_an_announcement_the_configured_port_is_tried(runtime_dir: Path) -> None:
    """
    A daemon embedded in an app, which announces nothing, is found by asking.
    """
    settings = read_settings({"runtime_dir": runtime_dir, "port": 4500}, {})
    assert find_daemons(settings, None, Network()) == []
    (found,) = find_daemons(settings, None, Network(port4500=Answering({"name": "reticle"})))
    assert (found.url, found.record, found.is_ours) == ("http://127.0.0.1:4500", None, True)
    (wedged,) = find_daemons(settings, None, Network(port4500=Silent(listening=True, reason="slow")))
    assert wedged.is_ours is False
