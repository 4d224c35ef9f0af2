"""
Programs that an agent loop has to cope with; each is one word on the command line.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import termios
import time
import tty
from pathlib import Path

BOX_OPENS_AFTER_SECONDS = 0.8


def box(kept: str, *options: str) -> None:
    """
    A full-screen program: reads nothing at first, throws away what was typed by then, and has a text box in
    which a carriage return submits only when it comes alone; together with text it is a line end.
    """
    print("loading", flush=True)
    time.sleep(BOX_OPENS_AFTER_SECONDS)
    before = termios.tcgetattr(0)
    tty.setraw(0)  # and forgets what was typed (TCSAFLUSH)
    os.write(1, b"\x1b[?1049h\x1b[2J> ")
    if "pasted" in options:
        os.write(1, b"\x1b[?2004h")
    text = b""
    while (keys := os.read(0, 65_536)) not in (b"\r", b"\x04"):
        text += keys.replace(b"\r", b"\n")
        os.write(1, b"\r> %d" % len(text))
    Path(kept).write_bytes(text)
    os.write(1, b"\x1b[?1049l")
    termios.tcsetattr(0, termios.TCSADRAIN, before)
    print("submitted", flush=True)


def keys(*options: str) -> None:
    """
    Shows each key that arrives as a number, until q. Stops itself at Ctrl-Z, as full-screen programs do.
    """
    before = termios.tcgetattr(0)
    while True:
        tty.setraw(0)
        os.write(1, b"\x1b[?25l\x1b[?1000h")
        os.write(1, b"ready%d\r\n" % os.get_terminal_size(1).columns)
        while (key := os.read(0, 1)) not in (b"q", b"\x1a"):
            os.write(1, b"<%d>" % key[0])
        os.write(1, b"\x1b[?1000l\x1b[?25h")
        termios.tcsetattr(0, termios.TCSADRAIN, before)
        if key == b"q" or "once" in options:
            return
        print("stopping", flush=True)
        os.kill(0, signal.SIGTSTP)
        print("going on", flush=True)


def stubborn(kept: str) -> None:
    """
    Ignores every polite signal, and has a child that does so too.
    """
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        time.sleep(600)
    Path(kept).write_text(f"{os.getpid()} {child}")
    print("deaf", flush=True)
    time.sleep(600)


def forks(kept: str) -> None:
    """
    Ends at once and leaves a child that holds the terminal and ignores that it hangs up.
    """
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        Path(kept).write_text(str(os.getpid()))
        time.sleep(600)
    while not Path(kept).exists() or not Path(kept).read_text():
        time.sleep(0.01)
    print("left one behind", flush=True)
    sys.exit(3)


def floods(kept: str, mebibytes: str) -> None:
    """
    Prints as fast as it can; says in a file how far it is.
    """
    line = b"x" * 1_022 + b"\r\n"
    with contextlib.suppress(OSError):
        termios_raw_output()
    for block in range(int(mebibytes) * 16):
        whole = line * 64
        while whole:
            whole = whole[os.write(1, whole) :]
        Path(kept).write_text(str((block + 1) * 65_536))
    os.write(1, b"the end\r\n")


def termios_raw_output() -> None:
    """
    Bytes as they are, so that they can be counted.
    """
    modes = termios.tcgetattr(1)
    modes[1] &= ~termios.OPOST
    termios.tcsetattr(1, termios.TCSANOW, modes)


def deaf_to_keys() -> None:
    """
    Never reads what is typed.
    """
    tty.setraw(0)
    os.write(1, b"ready\r\n")
    time.sleep(600)


def asks() -> None:
    """
    Asks its terminal what programs ask, and shows what it says.
    """
    tty.setraw(0)
    for question in (b"\x1b[c", b"\x1b[6n", b"\x1b]11;?\x07", b"\x1b[?u", b"\x1b[5n"):
        os.write(1, question)
    said = b""
    while not said.endswith(b"\x1b[0n") and select.select([0], [], [], 5.0)[0]:
        said += os.read(0, 1_024)
    os.write(1, b"said: " + re.sub(rb"\x1b", b"ESC", said).replace(b"\x07", b"BEL") + b"\r\n")


def sizes() -> None:
    """
    Says its terminal's size as ``stty`` has it: at first, and after each change.
    """

    def say(*_: object) -> None:
        told = subprocess.run(["stty", "size"], capture_output=True, text=True, check=True).stdout
        os.write(1, f"size {told.strip()}\r\n".encode())

    signal.signal(signal.SIGWINCH, say)
    say()
    while True:
        signal.pause()


def counts_starts(kept: str, failures: str) -> None:
    """
    Fails so many times, then ends well; keeps the address that each start was told.
    """
    with Path(kept).open("a") as file:
        file.write(os.environ["RETICLE_MCP_URL"] + "\n")
    sys.exit(9 if len(Path(kept).read_text().splitlines()) <= int(failures) else 0)


def interrupted() -> None:
    """
    Says which signals come, and ends at the second.
    """
    seen: list[int] = []

    def note(number: int, *_: object) -> None:
        seen.append(number)
        os.write(1, b"signal %d\r\n" % number)

    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, note)
    print("ready", flush=True)
    while len(seen) < 2:
        time.sleep(0.05)  # no pause(): a signal just before it would not end it
    sys.exit(11)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
