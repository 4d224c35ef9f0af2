"""
What a person wrote and flagged, as a token for one repository hears it.
"""

from __future__ import annotations

from reticle.bridge.steering import PanelSteering
from reticle.dispatch.permitted_steering import PermittedSteering
from reticle.model.codes import ControlState
from reticle.model.limits import HUMAN_MESSAGES
from reticle.model.page import App

OURS, THEIRS = App(None, "http://localhost:1"), App(None, "http://localhost:2")


def steering_of_both() -> PanelSteering:
    """
    A person wrote and flagged something on each app.
    """
    steering = PanelSteering(lambda _command, _args: None)
    for app, word in ((OURS, "ours"), (THEIRS, "theirs")):
        steering.controlled({"kind": "message", "text": word}, app)
        steering.marked({"note": word, "label": word, "anchor": "a"}, app)
    return steering


def ours_of(steering: PanelSteering, *, is_there: bool = True) -> PermittedSteering:
    """
    As whoever may look at one of them hears it.
    """
    return PermittedSteering(steering, lambda app: app == OURS, is_there=is_there)


def test_messages_and_flags_of_another_app_stay_there() -> None:
    """
    Each agent gets what the person wrote on its own app, and takes nothing away from the other's.
    """
    steering = steering_of_both()
    ours = ours_of(steering)
    assert (ours.waiting(), ours.take_guidance().messages, ours.waiting()) == (1, ("ours",), 0)
    assert steering.take_guidance().messages == ("theirs",)
    assert [mark.note for mark in ours.marks()] == ["ours"]
    assert ours.resolve("m2", "done") is None
    resolved = ours.resolve("m1", "done")
    assert resolved is not None
    assert [mark.pending for mark in steering.marks()] == [False, True]
    assert ours.marks_lost() == 0


def test_messages_that_were_lost_are_counted_for_each_app() -> None:
    """
    Nobody is told of another app's lost messages, and none is forgotten because another looked first.
    """
    steering = steering_of_both()
    for number in range(HUMAN_MESSAGES):
        steering.controlled({"kind": "message", "text": f"more {number}"}, OURS)
    theirs = PermittedSteering(steering, lambda app: app == THEIRS, is_there=True)
    assert theirs.take_guidance().dropped == 1
    assert ours_of(steering).take_guidance().dropped == 1
    assert not steering.take_guidance()


def test_on_an_app_of_others_nothing_is_steered() -> None:
    """
    A pause there is neither seen nor lifted by a token that has no right to it.
    """
    steering = steering_of_both()
    away = ours_of(steering, is_there=False)
    steering.controlled({"kind": "pause"}, THEIRS)
    away.acts()
    away.finish("all done")
    assert (away.state, away.ended_by_person, away.resume()) == (ControlState.ACTIVE, False, False)
    assert steering.state is ControlState.PAUSED
    there = ours_of(steering)
    assert (there.state, there.resume()) == (ControlState.PAUSED, True)
    assert not there.resume()
    steering.controlled({"kind": "end"}, OURS)
    assert there.ended_by_person
    assert there.resume()
    there.finish("all done")
    there.acts()
    assert not steering.resume()
