"""
The two kinds of node in our resource tree, and the two kinds of short answer.

A ``Leaf`` is one endpoint with a table of methods, a ``Branch`` a folder of children.
They provide ``IResource`` themselves instead of inheriting ``twisted.web.resource.Resource``, which
answers unknown children and methods through deprecated pages in HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec
from twisted.web.iweb import IRequest
from twisted.web.resource import IResource
from zope.interface import implementer

from reticle.errors import LocalMisuse
from reticle.transport.trace import trace_of

Render = Callable[[IRequest], bytes | int]
"""What a leaf does for one method: gives a whole body, or ``NOT_DONE_YET`` and finishes by itself."""

_SLASH = [b""]
"""What is left of a path that ends in one."""

TEXT = b"text/plain; charset=utf-8"
JSON = b"application/json"


def answer_text(request: IRequest, status: int, text: str) -> bytes:
    """
    A short answer in plain text: exactly ``text``, without a line break that a client might compare.
    """
    return _answer(request, status, TEXT, text.encode("utf-8"))


def answer_json(request: IRequest, status: int, value: object) -> bytes:
    """
    A short answer as one line of JSON.
    """
    return _answer(request, status, JSON, msgspec.json.encode(value))


def answer_not_found(request: IRequest) -> bytes:
    """
    There is nothing here.
    """
    return answer_text(request, 404, "not found")


def answer_not_allowed(request: IRequest, allowed: Iterable[bytes]) -> bytes:
    """
    The method is not one of this resource; ``Allow`` says which are (RFC 9110 §15.5.6).
    """
    request.setHeader(b"Allow", b", ".join(allowed))
    return answer_text(request, 405, "method not allowed")


def _answer(request: IRequest, status: int, content_type: bytes, body: bytes) -> bytes:
    request.setResponseCode(status)
    request.setHeader(b"Content-Type", content_type)
    request.setHeader(b"Cache-Control", b"no-store")
    request.setHeader(b"X-Content-Type-Options", b"nosniff")
    return body


@implementer(IResource)
class Endpoint:
    """
    A resource that takes the rest of the path itself.
    """

    isLeaf = True

    def render(self, request: IRequest) -> bytes | int:
        """
        Answer one request: a whole body, or ``NOT_DONE_YET``.
        """
        raise NotImplementedError

    def getChildWithDefault(self, name: bytes, request: IRequest) -> IResource:
        """
        Never called, since the traversal stops at a leaf.
        """
        del request  # its repr has the query, and so perhaps a token
        raise LocalMisuse(f"nothing stands below this endpoint: {name!r}")

    def putChild(self, path: bytes, child: IResource) -> None:
        """
        An endpoint takes no children.
        """
        raise LocalMisuse(f"nothing can stand below this endpoint: {child!r} at {path!r}")


class Leaf(Endpoint):
    """
    One endpoint with a table of methods.

    Args:
        route: Its name in logs and metrics.
        methods: What it does for each method, in the order of its ``Allow`` header. A HEAD must be
            listed to be answered, since a stream cannot answer one.

    The path may end in one slash; anything further below is not found.
    """

    def __init__(self, route: str, methods: Mapping[bytes, Render]) -> None:
        self.route = route
        self.methods = methods

    def render(self, request: IRequest) -> bytes | int:
        """
        Answer one request.
        """
        trace_of(request).route = self.route
        if request.postpath and request.postpath != _SLASH:
            return answer_not_found(request)
        act = self.methods.get(request.method)
        if act is None:
            return answer_not_allowed(request, self.methods)
        return act(request)


class Absent(Endpoint):
    """
    Answers 404 at once, for every method and everything below.
    """

    def render(self, request: IRequest) -> bytes:
        """
        There is nothing here.
        """
        return answer_not_found(request)


@implementer(IResource)
class Branch:
    """
    A folder of resources.

    Args:
        children: What stands below, by path segment.
        index: What answers for the folder itself, with and without a slash; not found if None.
    """

    isLeaf = False

    def __init__(self, children: Mapping[bytes, IResource], *, index: IResource | None = None) -> None:
        self._index = index or Absent()
        self._children = dict(children)

    def getChildWithDefault(self, name: bytes, request: IRequest) -> IResource:
        """
        The child of that name, the index behind a trailing slash, else what answers 404.
        """
        if not name and not request.postpath:
            return self._index
        found = self._children.get(name)
        # Not "or": a resource that counts its sockets is false while it has none.
        return Absent() if found is None else found

    def putChild(self, path: bytes, child: IResource) -> None:
        """
        Add a resource of an embedding application; it guards itself.
        """
        self._children[path] = child

    def render(self, request: IRequest) -> bytes | int:
        """
        Answer for the folder itself.
        """
        answer: bytes | int = self._index.render(request)
        return answer
