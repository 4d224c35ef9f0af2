"""
How a browser is started.
"""

from __future__ import annotations

from pathlib import Path

from reticle.browser.arguments import child_environment, command_line

PROGRAM, PROFILE = Path("/usr/bin/chromium"), Path("/state/browser/run-1/profile")


def line(*, headed: bool = False, as_root: bool = False, session_tool: str | None = None) -> list[str]:
    """
    A command line.
    """
    return list(
        command_line(PROGRAM, profile=PROFILE, headed=headed, as_root=as_root, session_tool=session_tool)
    )


def test_it_is_spoken_with_over_a_pipe_in_a_profile_of_its_own() -> None:
    """
    No port is opened, and the person's own profile is not touched.
    """
    command = line()
    assert command[0] == str(PROGRAM)
    assert {"--remote-debugging-pipe", f"--user-data-dir={PROFILE}", "--disable-dev-shm-usage"} <= set(
        command
    )
    assert not [word for word in command if word.startswith("--remote-debugging-port")]


def test_the_sandbox_is_left_out_for_root_alone() -> None:
    """
    Whoever is not root keeps it.
    """
    assert "--no-sandbox" not in line()
    assert "--no-sandbox" in line(as_root=True)


def test_certificates_are_believed_as_ever_beyond_this_machine() -> None:
    """
    Only localhost may have one of its own making.
    """
    assert "--allow-insecure-localhost" in line()
    assert not [word for word in line() if word.startswith("--ignore-certificate-errors")]


def test_nobody_sees_it_unless_that_is_wished() -> None:
    """
    A headed one has windows.
    """
    assert "--headless=new" in line()
    assert "--headless=new" not in line(headed=True)


def test_no_part_of_the_window_itself_is_a_web_page() -> None:
    """
    Contexts side by side use the machine for the app, not for an address bar that nobody types into.
    """
    off = next(word for word in line() if word.startswith("--disable-features=")).partition("=")[2].split(",")
    assert {"WebUIOmniboxPopup", "WebUIOmniboxAimPopup"} <= set(off)
    assert len([word for word in line(headed=True) if word.startswith("--disable-features=")]) == 1


def test_an_interrupt_on_the_terminal_is_for_the_daemon() -> None:
    """
    The browser is in a session of its own where there is a tool for that.
    """
    assert line(session_tool="/usr/bin/setsid")[:2] == ["/usr/bin/setsid", str(PROGRAM)]


def test_what_is_for_the_daemon_alone_is_not_handed_on() -> None:
    """
    No token reaches a program that runs strangers' scripts.
    """
    environ = {
        "PATH": "/bin",
        "HOME": "/h",
        "RETICLE_TOKEN": "s",
        "STRIATUM_X": "s",
        "LISTEN_FDS": "3",
        "TMPDIR": "/t",
    }
    assert child_environment(environ, Path("/run/tmp")) == {
        "PATH": "/bin",
        "HOME": "/h",
        "TMPDIR": "/run/tmp",
    }
