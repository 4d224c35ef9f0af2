"""
Templates rendered as facts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from twisted.python.filepath import FilePath
from twisted.web.template import Element, XMLFile, XMLString, flattenString

from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts
from tests.unit.probe.test_sql_django import run_django


@pytest.fixture
def kept() -> Iterator[KeptFacts]:
    """
    The collector is in.
    """
    with collecting("templates") as sink:
        yield sink


def test_a_jinja_template_is_named_with_its_file(kept: KeptFacts, tmp_path: Path) -> None:
    """
    The agent reads which file drew the page, in every manner of rendering.
    """
    jinja2 = pytest.importorskip("jinja2")
    (tmp_path / "cart.html").write_text("<p>{{ total }}</p>")
    loader = jinja2.FileSystemLoader(tmp_path)
    template = jinja2.Environment(loader=loader, autoescape=True).get_template("cart.html")
    assert template.render(total=3) == "<p>3</p>"
    assert "".join(template.stream(total=3)) == "<p>3</p>"
    later = jinja2.Environment(loader=loader, autoescape=True, enable_async=True).get_template("cart.html")
    assert asyncio.run(later.render_async(total=3)) == "<p>3</p>"
    jinja2.Template("no file").render()
    told = [(fields["name"], fields["file"]) for fields in kept.of("template")]
    assert told == [("cart.html", str(tmp_path / "cart.html"))] * 3


def test_an_element_of_twisted_is_named(kept: KeptFacts, tmp_path: Path) -> None:
    """
    The same for twisted.web.template.
    """
    file = tmp_path / "cart.xml"
    file.write_text("<p>hi</p>")

    class Cart(Element):
        loader = XMLString("<p>hi</p>")

    for element in (Cart(), Cart(loader=XMLFile(FilePath(str(file))))):
        found: list[bytes] = []
        flattenString(None, element).addCallback(found.append)
        assert found == [b"<p>hi</p>"]
    first, second = kept.of("template")
    assert first["name"].endswith("Cart")
    assert (first["file"], second["file"]) == (__file__, str(file))


def test_a_django_template_is_named_with_its_file(tmp_path: Path) -> None:
    """
    The same for Django, includes too.
    """
    pytest.importorskip("django")
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates/cart.html").write_text('<p>{% include "part.html" %}</p>')
    (tmp_path / "templates/part.html").write_text("hi")
    more = (
        "from django.template.loader import render_to_string;"
        " assert render_to_string('cart.html') == '<p>hi</p>'; step('template')"
    )
    told = [(fields["name"], fields["file"]) for _, fields in run_django(tmp_path, more)["template"]]
    assert told == [(name, str(tmp_path / "templates" / name)) for name in ("cart.html", "part.html")]
