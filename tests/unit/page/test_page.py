"""
The page script as the daemon serves it: which parts, in which order, with which words.
"""

from __future__ import annotations

import re
from importlib import resources

import pytest

from reticle import page
from reticle._version import __version__
from reticle.model import codes, limits


def part(name: str) -> str:
    """
    The text of one part.
    """
    return resources.files(page).joinpath(name).read_text(encoding="utf-8")


def words_of(constant: str) -> dict[str, str]:
    """
    The members of one frozen object in ``words.js``.
    """
    found = re.search(
        rf"^const {constant} = Object\.freeze\(\{{(.*?)\n\}}\);", part("words.js"), re.DOTALL | re.MULTILINE
    )
    assert found is not None
    return dict(re.findall(r'^  (\w+): "([^"]+)",$', found.group(1), re.MULTILINE))


def test_every_part_is_joined() -> None:
    """
    No JavaScript file of the package is forgotten, and none is named that does not exist.
    """
    files = {entry.name for entry in resources.files(page).iterdir() if entry.name.endswith(".js")}
    assert files == {*page.PARTS, page.PRELUDE}
    assert len(page.PARTS) == len(set(page.PARTS))


@pytest.mark.parametrize("name", page.PARTS)
def test_a_part_is_short(name: str) -> None:
    """
    Each part can be read at one sitting.
    """
    assert len(part(name).splitlines()) <= 250


def test_no_two_parts_declare_one_name() -> None:
    """
    The parts are one script: of two functions of a name the later one takes the earlier one's place, unseen.
    """
    declared: dict[str, list[str]] = {}
    for name in page.PARTS:
        for found in re.findall(
            r"^(?:async )?(?:function\*?|const|let|class) (\w+)", part(name), re.MULTILINE
        ):
            declared.setdefault(found, []).append(name)
    assert {found: parts for found, parts in declared.items() if len(parts) > 1} == {}


def test_the_script_is_one_call_around_its_parts_in_order() -> None:
    """
    A page gets one classic script that leaves no names behind and knows its version.
    """
    text = page.joined().decode()
    assert text.startswith('(function () {\n"use strict";\n')
    assert text.endswith("})();\n")
    assert f'const SCRIPT_VERSION = "{__version__}";' in text
    assert f'const SCRIPT_HASH = "{page.content_hash()}";' in text
    places = [text.index(part(name)) for name in page.PARTS]
    assert places == sorted(places)


def test_an_opened_page_gets_the_same_script_behind_the_prelude() -> None:
    """
    What is injected is what is served, with the names that this tab alone knows.
    """
    launch = page.Launch("way_out", "way_in", "word", "b1", "ws://127.0.0.1:4400/reticle", project="shop")
    text = page.injected(launch)
    assert text.startswith(part(page.PRELUDE) + '({"binding": "way_out", "door": "way_in", "word": "word", ')
    assert f'const SCRIPT_HASH = "{page.content_hash()}";' in text
    assert "const LAUNCH = null;" in page.joined().decode()
    assert "const LAUNCH" not in text
    assert f'"source": "{page.SOURCE}"' in text
    assert text.endswith(f"\n//# sourceURL={page.SOURCE}\n")
    assert page.joined().decode().partition("const LAUNCH = null;\n")[2].removesuffix("})();\n") in text


def test_the_hash_follows_the_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A script of other parts has another hash of sixteen hex digits, so that an old copy shows (SN-11).
    """
    served = page.content_hash()
    assert re.fullmatch(r"[0-9a-f]{16}", served)
    monkeypatch.setattr(page, "_parts", lambda: part("words.js"))
    assert page.content_hash.__wrapped__() != served


def test_events_are_the_daemons_events() -> None:
    """
    The page reports exactly the types that the daemon knows.
    """
    assert words_of("EVENT") == {member.name: member.value for member in codes.EventType}


def test_commands_are_the_daemons_commands() -> None:
    """
    The page knows every command that the daemon sends, and no other.
    """
    assert words_of("COMMAND") == {member.name: member.value for member in codes.CommandName}


def test_actions_are_the_daemons_actions() -> None:
    """
    The page can do every action that a tool offers, and no other.
    """
    assert words_of("ACTION") == {member.name: member.value for member in codes.ActionName}


def test_refusals_are_among_the_daemons() -> None:
    """
    Every refusal of the page has a code that the daemon passes on.
    """
    known = {member.name: member.value for member in codes.RefusalCode}
    refusals = words_of("REFUSAL")
    assert refusals
    assert {name: known.get(name) for name in refusals} == refusals


def test_marks_and_caps_agree_with_the_daemon() -> None:
    """
    What stands for an unsent value, and how much of a body is kept, is the same on both sides.
    """
    marks = set(re.findall(r'^const [A-Z]+ = "(\[[A-Z]+\])";$', part("words.js"), re.MULTILINE))
    assert marks == set(codes.NOT_OBSERVED)
    assert f"BODY_CHARS: {limits.NET_BODY_CHARS}," in part("words.js")
    assert f"QUERY_ELEMENTS: {limits.QUERY_ELEMENTS}," in part("words.js")
