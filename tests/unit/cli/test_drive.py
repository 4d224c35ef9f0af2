"""
``reticle drive``.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from click.testing import CliRunner, Result

import reticle.cli.drive as drive_module
from reticle.cli import main
from reticle.cli.drive import KEPT_SECONDS, as_text, close, has_screen, keep, opened, stopping
from reticle.cli.exits import CommandFailure, ExitCode

URL = "http://localhost:3000/"
OPENED = {
    "action": "acquire", "leaseId": "l1", "sessionId": "b1", "url": URL, "ready": True, "expiresInMs": 90_000,
    "hint": "Go on.",
}  # fmt: skip
NOT_LOADED = {**OPENED, "ready": False, "trouble": "net::ERR_CONNECTION_REFUSED"}

Asked = list[Mapping[str, Any]]
Run = Callable[..., Result]


@pytest.fixture
def asked() -> Asked:
    """
    What the daemon was asked.
    """
    return []


@pytest.fixture
def run(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> Run:
    """
    Runs the command against a daemon that answers as the test says; once it renews, it is told to stop.
    """

    def with_answer(*arguments: str, answer: Mapping[str, Any] = OPENED) -> Result:
        def ask(_: object, __: object, method: str, params: Mapping[str, object], **more: object) -> object:
            del more
            asked.append({"method": method, **params})
            if params["action"] == "renew":
                os.kill(os.getpid(), signal.SIGTERM)
            return answer

        monkeypatch.setattr(drive_module, "ask", ask)
        monkeypatch.setattr(drive_module, "RENEW_SECONDS", 0.0)
        return CliRunner().invoke(drive_module.command, list(arguments), standalone_mode=False)

    return with_answer


def test_a_page_is_opened_kept_and_released(run: Run, asked: Asked) -> None:
    """
    It is there for every agent while the command runs, and closed when the command is told to end.
    """
    done = run(URL, "--headless", "--login", "ann", "--project", "shop")
    assert done.return_value == 0
    assert done.stdout == f"page b1 at {URL} (lease l1, 90 s without a call)\n"
    assert "Ctrl-C" in done.stderr
    assert asked == [
        {
            "method": "reticle_lease", "action": "acquire", "url": URL, "shared": True, "projectId": "shop",
            "login": "ann", "headed": False, "seconds": KEPT_SECONDS,
        },
        {"method": "reticle_lease", "action": "renew", "leaseId": "l1", "seconds": KEPT_SECONDS},
        {"method": "reticle_lease", "action": "release", "leaseId": "l1"},
    ]  # fmt: skip


LISTED = {
    "action": "list",
    "leases": [{"leaseId": "l1", "sessionId": "b1", "url": URL, "by": "operator", "expiresInMs": 61_500}],
}


def test_what_is_open_is_listed(run: Run, asked: Asked) -> None:
    """
    Whoever left pages open finds their names.
    """
    done = run("--list", answer=LISTED)
    assert done.return_value == 0
    assert done.stdout == f"l1  page b1  {URL}  by operator, 61 s left\n"
    assert run("--list", answer={**LISTED, "leases": []}).stdout == "there are no browser leases\n"
    assert asked[0] == {"method": "reticle_lease", "action": "list"}


@pytest.mark.parametrize(("named", "argument"), [("l1", "leaseId"), ("b1", "sessionId")])
def test_a_lease_is_ended_by_its_name_or_its_pages(run: Run, asked: Asked, named: str, argument: str) -> None:
    """
    What ``--detach`` left open is closed from the shell, by either name that was printed.
    """
    ended = {"action": "release", "released": True, "leaseId": "l1"}
    done = run("--close", named, answer=ended)
    assert (done.return_value, done.stdout) == (0, "lease l1 is ended\n")
    assert asked == [{"method": "reticle_lease", "action": "release", argument: named}]
    assert json.loads(run("--close", named, "--json", answer=ended).stdout) == ended


def test_a_lease_is_ended_by_the_address_it_was_opened_with() -> None:
    """
    Whoever opened a page ends it by the same word; of two at one address neither is ended.
    """
    asked: Asked = []

    def lease(wish: Mapping[str, object]) -> Mapping[str, Any]:
        asked.append(wish)
        return LISTED if wish["action"] == "list" else {**wish, "released": True}

    assert close(lease, URL)["leaseId"] == "l1"
    assert [each["action"] for each in asked] == ["list", "release"]
    with pytest.raises(CommandFailure, match="no browser leases"):
        close(lease, "http://localhost:3001/")


@pytest.mark.parametrize("words", [[], [URL, "--list"], ["--list", "--close", "l1"]])
def test_one_thing_at_a_time(words: list[str]) -> None:
    """
    A command that says nothing, or two things, does neither.
    """
    assert main.run(["drive", *words]) == ExitCode.USAGE


def test_a_detached_page_is_left_to_its_time(run: Run, asked: Asked) -> None:
    """
    The command ends at once, and its output is for programs.
    """
    done = run(URL, "--detach", "--json", "--headed")
    assert (done.return_value, json.loads(done.stdout)) == (0, OPENED)
    assert asked == [
        {"method": "reticle_lease", "action": "acquire", "url": URL, "shared": True, "headed": True}
    ]


def test_an_address_that_does_not_answer_is_a_failure(run: Run) -> None:
    """
    A script that drives an app which does not run learns so from the exit code, a person from the words.
    """
    done = run(URL, "--detach", answer=NOT_LOADED)
    assert done.return_value == ExitCode.FAILED
    assert "not ready: net::ERR_CONNECTION_REFUSED\nnext: see that the app answers" in done.stdout
    assert as_text({**OPENED, "ready": False}).endswith("not ready: Go on.")


@pytest.mark.parametrize("url", ["localhost:3000", "file:///x"])
def test_what_is_no_address_of_the_web_asks_nobody(
    run: Run, asked: Asked, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A misspelt URL is a mistake of the command line.
    """
    del run
    assert main.run(["drive", url]) == ExitCode.USAGE
    assert "Nothing was opened" in capsys.readouterr().err
    assert asked == []


def test_without_a_daemon_the_way_to_one_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """
    Nobody is there to open anything.
    """
    assert main.run(["drive", URL]) == ExitCode.UNREACHABLE
    said = capsys.readouterr().err
    assert "no reticle daemon runs here" in said
    assert "reticle serve" in said


@pytest.mark.parametrize(
    ("environ", "seen"),
    [
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({}, False),
        ({"DISPLAY": ":0", "CI": "true"}, False),
    ],
)
def test_a_window_is_opened_where_somebody_sees_it(
    environ: Mapping[str, str], *, seen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    On a server and in CI there is none.
    """
    monkeypatch.setattr("sys.platform", "linux")
    assert has_screen(environ) is seen
    monkeypatch.setattr("sys.platform", "darwin")
    assert has_screen({}) is True


@pytest.mark.parametrize("said", [None, True])
def test_a_window_that_nobody_asked_for_is_done_without(*, said: bool | None) -> None:
    """
    A daemon that runs as a service has no screen: the page is opened all the same, unless a window was asked
    for by name.
    """
    tried: list[object] = []

    def lease(params: Mapping[str, object]) -> Mapping[str, Any]:
        tried.append(params["headed"])
        if params["headed"]:
            raise CommandFailure(ExitCode.REFUSED, "browser_failed: it did not start", "leave headed out")
        return OPENED

    if said is None:
        assert opened(lease, {"headed": True}, asked=None) == OPENED
        assert tried == [True, False]
        return
    with pytest.raises(CommandFailure):
        opened(lease, {"headed": True}, asked=said)
    assert tried == [True]


@pytest.mark.parametrize("at", ["renew", "release"])
def test_a_page_that_somebody_else_closed_ends_the_command(at: str) -> None:
    """
    It does not pretend to keep open what is gone; another failure stays what it is.
    """

    def failing(message: str) -> Callable[[Mapping[str, object]], Mapping[str, Any]]:
        def lease(params: Mapping[str, object]) -> Mapping[str, Any]:
            if params["action"] == at:
                raise CommandFailure(ExitCode.REFUSED, message, "")
            return OPENED

        return lease

    times = iter([at == "release", True])
    with pytest.raises(CommandFailure) as caught:
        keep(failing("not_found: There is no browser lease l1."), "l1", lambda _: next(times))
    assert caught.value.exit_code == ExitCode.FAILED
    assert "closed" in caught.value.message
    times = iter([at == "release", True])
    with pytest.raises(CommandFailure) as caught:
        keep(failing("token_expired: over"), "l1", lambda _: next(times))
    assert caught.value.exit_code == ExitCode.REFUSED


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_usual_end_releases_the_page(number: signal.Signals) -> None:
    """
    Ctrl-C, a supervisor's stop and a closed terminal are all the same; afterwards signals are as before.
    """
    before = signal.getsignal(number)
    with stopping() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), number)
        assert stop.wait(5)
    assert signal.getsignal(number) is before
