"""
An app that runs from another folder is noticed, and one that does not is let be.
"""

from __future__ import annotations

import attrs

from reticle.domain.work.served_from import is_known, is_within, places_elsewhere
from reticle.model.ids import RepositoryId
from reticle.model.provenance import Provenance, Serving, ServingProcess

ROOT = "/srv/shop"


def provenance(*processes: ServingProcess, projects: tuple[str, ...] = ()) -> Provenance:
    """
    What was seen of a server.
    """
    return Provenance(
        RepositoryId("shop"), 1.0, "tree:a", "tree:a", serving=Serving(processes), projects=projects
    )


def test_a_server_in_the_folder_is_its_own() -> None:
    """Whoever starts the app from the repository is not stopped."""
    for served in (
        provenance(ServingProcess(7, "/srv/shop")),
        provenance(ServingProcess(7, "/srv/shop/web", ("/srv/shop/web/app.py",))),
        provenance(ServingProcess(7, "/", ("/srv/shop/app.py",))),
        provenance(ServingProcess(7, "/"), projects=("/srv/shop",)),
        provenance(projects=("/srv/shop/backend",)),
    ):
        assert places_elsewhere(served, ROOT) == ()
        assert is_known(served)


def test_a_server_of_another_folder_is_named() -> None:
    """A copy of the app beside the repository does not pass for it, however it is started."""
    for served in (
        provenance(ServingProcess(7, "/tmp/copy")),
        provenance(ServingProcess(7, "/srv/shop2")),
        provenance(ServingProcess(7, "/srv/shop", ("/tmp/copy/app.py",))),
        provenance(ServingProcess(7, "/srv/shop"), projects=("/tmp/copy",)),
        provenance(ServingProcess(7, "/srv/shop"), ServingProcess(8, "/tmp/copy")),
    ):
        (said,) = places_elsewhere(served, ROOT)
        assert "/tmp/copy" in said or "/srv/shop2" in said


def test_the_server_of_the_data_must_be_the_repositorys_too() -> None:
    """The right pages over a server for data from another folder are not this repository's app."""
    found = attrs.evolve(
        provenance(ServingProcess(7, "/srv/shop")), beside=(Serving((ServingProcess(8, "/tmp/copy"),)),)
    )
    (said,) = places_elsewhere(found, ROOT)
    assert "/tmp/copy" in said
    fine = attrs.evolve(found, beside=(Serving((ServingProcess(8, "/srv/shop"),)), Serving(trouble="gone")))
    assert places_elsewhere(fine, ROOT) == ()


def test_nothing_known_is_nothing_said() -> None:
    """Where nobody tells, that is all that can be said."""
    assert not is_known(provenance())
    assert not is_known(provenance(ServingProcess(7, None)))
    assert places_elsewhere(provenance(ServingProcess(7, None)), ROOT) == ()


def test_a_name_that_begins_alike_is_another_folder() -> None:
    """Folders are compared by whole names."""
    assert is_within("/srv/shop/a", "/srv/shop")
    assert is_within("/srv/shop", "/srv/shop")
    assert not is_within("/srv/shop2", "/srv/shop")
