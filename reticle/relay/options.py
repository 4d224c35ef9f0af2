"""
The few flags of ``reticle mcp``, read by hand: argparse and click would cost a third of the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

USAGE = """\
Usage: reticle mcp [OPTIONS]

  Serve MCP on standard input and output: an MCP client starts this as its server. It answers at once,
  finds a running daemon or starts one, and goes on when that is restarted.

Options:
  --port PORT          The daemon's port [RETICLE_PORT; default: 4400].
  --url URL            The whole URL of a daemon, such as http://127.0.0.1:4400 [RETICLE_URL].
  --no-start           Do not start a daemon when none runs.
  --token-file FILE    File that holds the pairing token or a capability token
                       [RETICLE_MCP_TOKEN_FILE, else RETICLE_TOKEN_FILE].
  --state-dir DIR      As for `reticle serve` [RETICLE_STATE_DIR].
  --runtime-dir DIR    As for `reticle serve` [RETICLE_RUNTIME_DIR].
  --config FILE        File to read instead of looking for reticle.toml [RETICLE_CONFIG].
  -h, --help           Show this message and exit.
"""

_VALUED = ("--port", "--url", "--token-file", "--state-dir", "--runtime-dir", "--config")


class Options(NamedTuple):
    """
    What the command line said. ``flags`` goes by the names of the settings, ``url`` beside them.
    """

    flags: Mapping[str, str]
    may_start: bool = True
    help: bool = False


def parse_options(arguments: Sequence[str]) -> Options:
    """
    Read what stands behind ``reticle mcp``.

    Raises:
        ValueError: A flag is unknown or lacks its value; the text says which.
    """
    flags: dict[str, str] = {}
    may_start = True
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word in ("-h", "--help"):
            return Options({}, help=True)
        if word == "--no-start":
            may_start = False
        elif name in _VALUED:
            if not equals:
                if not rest:
                    raise ValueError(f"{name} needs a value")
                value = rest.pop(0)
            flags[name[2:].replace("-", "_")] = value
        else:
            raise ValueError(f"there is no option {word}; see `reticle mcp --help`")
    return Options(flags, may_start)
