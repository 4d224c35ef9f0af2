"""
The agent and the person at the page.
"""

from __future__ import annotations

import json

import msgspec
import pytest

from reticle.model.codes import CommandName, ControlState, EventType
from reticle.model.limits import MARKS
from reticle.testing.pages import Asked
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.session import ACTIONS, TOOLS, SessionArguments

SESSION = TOOLS[0]


def test_every_action_of_the_type_has_a_rule_and_an_example() -> None:
    """
    What the schema allows is done, and what a refusal shows is allowed.
    """
    words = msgspec.json.schema(SessionArguments)["$defs"]["SessionArguments"]["properties"]["action"]["enum"]
    assert sorted(words) == sorted(ACTIONS)
    for name, rule in ACTIONS.items():
        if rule.example:
            shown = json.loads(rule.example)
            assert shown.pop("action") == name
            assert set(rule.needs) <= set(shown) <= set(rule.takes)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"action": "tune"}, "action tune needs idleEndMs"),
        ({"action": "yield", "mode": "ask"}, "action yield needs note"),
        ({"action": "narrate", "level": "warn"}, "action narrate needs text"),
        ({"action": "end", "note": "done"}, "action end does not take `note`"),
        ({"action": "messages", "all": True}, "action messages does not take `all`"),
        ({"action": "resume", "summary": "x"}, "action resume does not take `summary`"),
        ({"action": "review", "text": "x"}, "action review does not take `text`"),
    ],
)
def test_what_does_not_go_with_an_action_is_refused(
    scene: Scene, arguments: dict[str, object], part: str
) -> None:
    """
    A note that would go nowhere, or an action without what it needs, does nothing and says why.
    """
    refusal = refusal_of(SESSION, scene.context, arguments)
    assert refusal.code == "bad_arguments"
    assert part in refusal.message
    assert "Nothing ran." in refusal.message
    assert (scene.page.asked, scene.page.panel) == ([], [])


def test_yielding_shows_what_the_agent_waits_for(scene: Scene) -> None:
    """
    The panel shows the question, and the person can still write and press Pause.
    """
    scene.page.answer(CommandName.PRESENTER, {"applied": True})
    answer = answer_of(SESSION, scene.context, {"action": "yield", "mode": "ask", "note": "Which plan?"})
    assert answer.fields == {"action": "yield", "yielded": True, "mode": "ask"}
    asked = {"state": "active", "tone": "ask", "text": "Which plan?"}
    assert scene.page.asked == [Asked(CommandName.PRESENTER, asked)]


def test_ending_and_resuming(scene: Scene) -> None:
    """
    An end shows its summary; resume lifts what holds the agent and says when nothing did.
    """
    ended = answer_of(SESSION, scene.context, {"action": "end", "summary": "all green"})
    assert ended.fields == {"action": "end", "ended": True}
    assert scene.page.panel == [Asked(CommandName.PRESENTER, {"state": "ended", "text": "all green"})]
    scene.page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
    assert answer_of(SESSION, scene.context, {"action": "resume"}).fields["resumed"] is True
    assert scene.page.steering.state is ControlState.ACTIVE
    again = answer_of(SESSION, scene.context, {"action": "resume"}).fields
    assert again == {"action": "resume", "resumed": False, "note": "Nothing was paused or ended."}


def test_an_agents_end_leaves_a_persons_pause(scene: Scene) -> None:
    """
    A paused page stays paused when an agent says that it is done.
    """
    scene.page.record(EventType.HUMAN_CONTROL, {"kind": "pause"})
    assert answer_of(SESSION, scene.context, {"action": "end"}).fields["ended"] is False
    assert scene.page.steering.state is ControlState.PAUSED


def test_messages_are_drained(scene: Scene) -> None:
    """
    Each message is read once.
    """
    scene.page.record(EventType.HUMAN_CONTROL, {"kind": "message", "text": "try Firefox"})
    first = answer_of(SESSION, scene.context, {"action": "messages"}).fields
    assert first == {"action": "messages", "messages": ["try Firefox"], "delivered": 1}
    assert answer_of(SESSION, scene.context, {"action": "messages"}).fields["messages"] == []


def test_flags_are_listed_and_answered(scene: Scene) -> None:
    """
    What a person flagged is read with its place, resolved with a note, and no longer pending.
    """
    scene.page.record(
        EventType.HUMAN_MARK,
        {"note": "too small", "label": 'button "Save"', "anchor": "save", "strategy": "testid",
         "route": "/cart", "source": {"file": "a.html", "line": 3}},
    )  # fmt: skip
    listed = answer_of(SESSION, scene.context, {"action": "review"}).fields
    mark = {
        "id": "m1", "note": "too small", "element": 'button "Save"', "anchor": "testid save",
        "route": "/cart", "source": "a.html:3",
    }  # fmt: skip
    assert listed == {"action": "review", "marks": [mark], "pendingCount": 1}
    done = {"action": "review", "resolve": "m1", "note": "bigger now"}
    assert answer_of(SESSION, scene.context, done).fields == {
        "action": "review", "marks": [], "pendingCount": 0, "resolved": "m1", "resolvedNote": "bigger now",
    }  # fmt: skip
    everything = answer_of(SESSION, scene.context, {"action": "review", "all": True}).fields
    assert everything["marks"] == [{**mark, "resolution": "bigger now"}]
    unknown = refusal_of(SESSION, scene.context, {"action": "review", "resolve": "m7"})
    assert (unknown.code, unknown.details) == ("bad_arguments", {"marks": ["m1"]})


def test_flags_that_were_forgotten_unanswered_are_counted(scene: Scene) -> None:
    """
    An agent that answered every flag it sees knows that a person had flagged more.
    """
    for number in range(MARKS + 2):
        scene.page.record(EventType.HUMAN_MARK, {"note": str(number)})
    fields = answer_of(SESSION, scene.context, {"action": "review"}).fields
    assert (fields["pendingCount"], fields["droppedOldest"]) == (MARKS, 2)


def test_narrating_and_tuning_reach_the_panel(scene: Scene) -> None:
    """
    A line and the idle time are given to the panel, and its answer is passed on.
    """
    scene.page.answer(CommandName.NARRATE, {"shown": False})
    scene.page.answer(CommandName.SESSION_CONFIG, {"applied": True, "idleEndMs": 60_000})
    said = answer_of(SESSION, scene.context, {"action": "narrate", "text": "hello", "level": "warn"})
    assert said.fields == {"action": "narrate", "shown": False}
    tuned = answer_of(SESSION, scene.context, {"action": "tune", "idleEndMs": 60_000})
    assert tuned.fields == {"action": "tune", "applied": True, "idleEndMs": 60_000}
    assert scene.page.asked == [
        Asked(CommandName.NARRATE, {"text": "hello", "level": "warn"}),
        Asked(CommandName.SESSION_CONFIG, {"idleEndMs": 60_000}),
    ]
