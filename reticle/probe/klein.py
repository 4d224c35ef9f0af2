"""
The probe for Klein: ``Site(wrap(app))`` in place of ``Site(app.resource())``.
"""

from __future__ import annotations

from typing import Any

from klein.resource import KleinResource
from werkzeug.exceptions import HTTPException

from reticle.probe.twisted import wrap_resource


def wrap(app: Any, *, on: bool | None = None) -> Any:
    """
    The resource of a Klein application, with the probe around it unless it stays off.

    Args:
        app: The application.
        on: As for ``wrap_resource``.
    """
    return wrap_resource(app.resource(), on=on, router=route_of)


def route_of(resource: Any, request: Any) -> tuple[str | None, Any, str | None] | None:
    """
    The rule that will answer, its function and its name; None for what is no resource of Klein's.
    """
    if not isinstance(resource, KleinResource):
        return None
    app = resource._app  # noqa: SLF001 - Klein tells of its rule only the function that runs
    path = b"/" + b"/".join(request.postpath)
    mapper = app.url_map.bind(
        "localhost", path_info=path.decode("utf-8"), default_method=request.method.decode("latin-1")
    )
    try:
        rule, _ = mapper.match(return_rule=True)
    except HTTPException:  # no route, or a redirect to one: Klein answers that itself
        return None, None, None
    return rule.rule, app.endpoints[rule.endpoint], rule.endpoint
