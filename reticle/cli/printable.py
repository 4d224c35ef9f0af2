"""
What may go to a person's terminal: agents, pages and callers choose some of the words, and a terminal obeys
control characters in them.
"""

from __future__ import annotations


def printable(line: str) -> str:
    r"""
    A line with everything that is no visible character written out, as ``\u001b``; tabs and line ends too.
    """
    if line.isprintable():
        return line
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in line)


def printable_lines(text: str) -> str:
    """
    The same for a text of several lines.
    """
    return "\n".join(map(printable, text.splitlines()))
