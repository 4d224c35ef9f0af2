"""
Which daemons run here.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from reticle.cli.discovery import find_daemons
from reticle.cli.probe import Answering, Reply, Silent, Unauthorised
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


def test_a_daemon_that_wants_a_token_is_asked_as_its_operator(
    runtime_dir: Path, record: DaemonRecord
) -> None:
    """
    ``reticle status`` works on a daemon that lets nobody in without a token; one that was named stays alone.
    """
    kept = runtime_dir / "client-token"
    kept.touch(mode=0o600)
    kept.write_text("dtok_operator.secret\n")
    announce(runtime_dir, msgspec.structs.replace(record, client_token=kept.name))
    presented: list[str | None] = []

    def ask(_: str, token: SecretText | None) -> Reply:
        presented.append(None if token is None else token.reveal())
        return Answering({}) if presented[-1] == "dtok_operator.secret" else Unauthorised("token_missing")

    settings = read_settings({"runtime_dir": runtime_dir}, {})
    assert isinstance(find_daemons(settings, None, ask)[0].reply, Answering)
    named = read_settings({"runtime_dir": runtime_dir}, {"RETICLE_TOKEN": "pair"}, as_client=True)
    assert isinstance(find_daemons(named, None, ask)[0].reply, Unauthorised)
    kept.chmod(0o644)
    assert isinstance(find_daemons(settings, None, ask)[0].reply, Unauthorised)
    assert presented == [None, "dtok_operator.secret", "pair", None]
