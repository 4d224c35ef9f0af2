"""
How a Chromium is started to be driven: its command line and its environment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

OURS: Final = ("RETICLE_", "STRIATUM_", "NOTIFY_SOCKET", "LISTEN_")
"""Variables for us alone: tokens, and the service manager's."""

FEATURES_OFF: Final[Sequence[str]] = (
    # A document is replaced in its frame: else what it says at its end goes nowhere, because the debugging
    # connection has gone over to its successor by then.
    "RenderDocument",
    # A page that is prepared unseen would run before it is ours.
    "Prerender2",
    # An http address must stay what it is, also for a name that is not this machine.
    "HttpsUpgrades",
    "Translate",
    "MediaRouter",
    "OptimizationHints",
    "LensOverlay",
    "CertificateTransparencyComponentUpdater",
    "AutofillServerCommunication",
    "DestroyProfileOnBrowserClose",
    # Parts of the browser's own window that are web pages: each is a process more for every context, which
    # starts beside the app and uses more of the machine than most apps do. Nobody types an address here.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "PreloadTopChromeWebUI",
)

FLAGS: Final[Sequence[str]] = (
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-startup-window",
    # Shared memory below TMPDIR: /dev/shm is small or full in containers, and a tab that finds it so crashes.
    "--disable-dev-shm-usage",
    # Nobody is rung up but the app.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--disable-field-trial-config",
    "--metrics-recording-only",
    "--no-pings",
    "--disable-breakpad",
    "--disable-crash-reporter",
    # No question to a person, no keyring.
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-search-engine-choice-screen",
    "--disable-prompt-on-repost",
    "--disable-hang-monitor",
    # Several contexts at once, none of them in front: each runs as if it were.
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    # What a person's click may open, an act of ours may open too; it is recorded.
    "--disable-popup-blocking",
    # A development server makes its own certificate; on this machine a person would click the warning away.
    "--allow-insecure-localhost",
    # As RenderDocument above.
    "--disable-back-forward-cache",
    "--force-color-profile=srgb",
    "--disable-features=" + ",".join(FEATURES_OFF),
)

HEADLESS: Final[Sequence[str]] = ("--headless=new", "--disable-gpu", "--mute-audio")


def command_line(
    program: Path, *, profile: Path, headed: bool, as_root: bool, session_tool: str | None
) -> Sequence[str]:
    """
    The words of the command.

    Args:
        program: The browser.
        profile: The folder of its profile.
        headed: Whether a person looks on.
        as_root: Then, and only then, without Chromium's sandbox: it refuses to run with it.
        session_tool: ``setsid`` where there is one: an interrupt on the terminal is for the daemon, which
            then keeps logins before it ends the browser.
    """
    return [
        *([session_tool] if session_tool is not None else []),
        str(program),
        *FLAGS,
        *([] if headed else HEADLESS),
        *(["--no-sandbox"] if as_root else []),
        f"--user-data-dir={profile}",
    ]


def child_environment(environ: Mapping[str, str], temporary: Path) -> Mapping[str, str]:
    """
    The daemon's environment without what is for it alone; temporary files go into the run's folder.
    """
    kept = {name: value for name, value in environ.items() if not name.startswith(OURS)}
    return {**kept, "TMPDIR": str(temporary)}
