"""
The nodes of the resource tree.
"""

from __future__ import annotations

import pytest

from reticle.errors import LocalMisuse
from reticle.transport.resource import Absent, Branch, Endpoint, Leaf


class Asked:
    """
    As much of a request as a traversal looks at.
    """

    def __init__(self, *postpath: bytes) -> None:
        self.postpath = list(postpath)


def test_a_folder_finds_its_children_and_nothing_else() -> None:
    """
    A child is found by its name, the index by a trailing slash, anything else is absent.
    """
    child, index = Leaf("child", {}), Leaf("index", {})
    branch = Branch({b"child": child}, index=index)
    assert branch.getChildWithDefault(b"child", Asked()) is child  # type: ignore[arg-type]  # as much as needed
    assert branch.getChildWithDefault(b"", Asked()) is index  # type: ignore[arg-type]
    for name, behind in ((b"", [b"x"]), (b"other", []), (b"Child", [])):
        found = branch.getChildWithDefault(name, Asked(*behind))  # type: ignore[arg-type]
        assert isinstance(found, Absent)


def test_an_application_may_add_to_a_folder() -> None:
    """
    An embedder's own resource below ours is found like ours.
    """
    branch, child = Branch({}), Leaf("child", {})
    branch.putChild(b"more", child)
    assert branch.getChildWithDefault(b"more", Asked()) is child  # type: ignore[arg-type]


def test_an_endpoint_has_no_children() -> None:
    """
    Driving an endpoint as a folder is a bug of ours and says so.
    """
    with pytest.raises(LocalMisuse):
        Absent().getChildWithDefault(b"x", Asked())  # type: ignore[arg-type]
    with pytest.raises(LocalMisuse):
        Absent().putChild(b"x", Absent())
    with pytest.raises(NotImplementedError):
        Endpoint().render(Asked())  # type: ignore[arg-type]
