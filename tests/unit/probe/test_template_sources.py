"""
Templates of Django and Jinja stamped while they are compiled.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reticle.probe import emission
from reticle.testing.collecting import collecting
from reticle.testing.kept_facts import KeptFacts
from tests.unit.probe.test_sql_django import run_django

jinja2 = pytest.importorskip("jinja2")

STAMP = re.compile(r' data-reticle-source="[^"]*"')

CART = """<ul>
{% for name in names %}
  <li {% if name == "<b>" %}class="x"{% endif %}>{{ name }} {{ "%}<i>" }}</li>
{% endfor %}
{# <p> #}
{% filter escape %}<b>{% endfilter %}
</ul>
<p>"""


def environment(folder: Path, **more: Any) -> Any:
    """
    An environment over one folder.
    """
    return jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True, **more)


def rendered(folder: Path, **more: Any) -> str:
    """
    The cart, rendered.
    """
    text: str = environment(folder, **more).get_template("cart.html").render(names=["a", "<b>"])
    return text


def test_an_element_of_jinja_leads_to_its_line(tmp_path: Path) -> None:
    """
    Each element names its line relative to the project, and everything else is as without it.
    """
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "cart.html").write_text(CART)
    plain = rendered(folder)
    with collecting("template_sources"):
        assert emission.sink is not None
        emission.sink.project = str(tmp_path)  # type: ignore[attr-defined]  # as the sender has it
        found = rendered(folder)
    assert STAMP.sub("", found) == plain
    lines = re.findall(r'<(\w+) data-reticle-source="templates/cart.html:(\d+)"', found)
    assert lines == [("ul", "1"), ("li", "3"), ("li", "3"), ("p", "8")]
    assert rendered(folder) == plain


def test_what_would_outlive_the_probe_is_left_alone(tmp_path: Path) -> None:
    """
    A bytecode cache on the disk never gets a stamp, nor does a template that is no page or not the app's.
    """
    (tmp_path / "cart.html").write_text(CART)
    (tmp_path / "cart.txt").write_text("<p>")
    kept = tmp_path / "lib/site-packages/other"
    kept.mkdir(parents=True)
    (kept / "cart.html").write_text(CART)
    with collecting("template_sources"):
        cache = jinja2.FileSystemBytecodeCache(str(tmp_path))
        assert "data-reticle" not in rendered(tmp_path, bytecode_cache=cache)
        assert "data-reticle" not in rendered(tmp_path, line_statement_prefix="##")
        assert "data-reticle" not in rendered(kept)
        assert "data-reticle" not in environment(tmp_path).get_template("cart.txt").render()
        assert jinja2.Template("<p>").render() == "<p>"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    st.lists(
        st.sampled_from([
            "<div ", "<p>", "class='{{ a }}'", '"', "'", ">", "</p>", "{{ a }}", "{{ '}}<b>' }}", "<", "\n",
            "{% if a %}<b>{% else %}<i>{% endif %}", "<!--", "-->", "<script>", "</script>", "{# <p> #}",
            "{% raw %}{{ <u> }}{% endraw %}", "{% set b %}<s>{% endset %}{{ b }}", "text", "<h{{ 1 }}>",
        ]),
        max_size=12,
    )
)  # fmt: skip
def test_without_the_stamps_jinja_says_the_same(tmp_path: Path, pieces: list[str]) -> None:
    """
    Whatever the template is made of, its output is the original and stamps.
    """
    (tmp_path / "any.html").write_text("".join(pieces))
    plain = environment(tmp_path).get_template("any.html").render(a="<x>")
    with collecting("template_sources"):
        found = environment(tmp_path).get_template("any.html").render(a="<x>")
    assert STAMP.sub("", found) == plain


DJANGO = """<ul>
{% for name in names %}
  <li {% if name == "<b>" %}class="x"{% endif %}>{{ name }}</li>
{% endfor %}
{% comment %}<script>{% endcomment %}
{% filter force_escape %}<b>{% endfilter %}
{% load i18n %}{% blocktranslate %}<b>x</b>{% endblocktranslate %}{% trans "y" %}
</ul>
<p>"""


def test_an_element_of_django_leads_to_its_line(tmp_path: Path) -> None:
    """
    The same for Django, with and without its debug mode; the place of an error in a template stays true.
    """
    pytest.importorskip("django")
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates/cart.html").write_text(DJANGO)
    (tmp_path / "templates/wrong.html").write_text("<p>\n<b>{% nothing %}</b>")
    (tmp_path / "templates/text.txt").write_text("<p>")
    more = """
    from django.template import engines, TemplateSyntaxError
    found = {}
    for debug in (True, False):
        engine = engines["django"].engine
        engine.debug = debug
        for loader in engine.template_loaders:
            loader.reset()
        found[str(debug)] = engine.get_template("cart.html").render(
            __import__("django.template", fromlist=["Context"]).Context({"names": ["a", "<b>"]})
        )
        found["text"] = engine.get_template("text.txt").source
    engine.debug = True
    try:
        engine.get_template("wrong.html")
    except TemplateSyntaxError as fault:
        found["during"] = fault.template_debug["during"], fault.template_debug["line"]
    kept.facts[:] = [("found", found)]
    step("found")
"""
    ((_, found),) = run_django(tmp_path, more.strip(), "template_sources")["found"]
    for text in (found["True"], found["False"]):
        lines = re.findall(r'<(\w+) data-reticle-source="[^"]*templates/cart.html:(\d+)"', text)
        assert lines == [("ul", "1"), ("li", "3"), ("li", "3"), ("p", "9")]
        assert "<b>x</b>" in text
        assert "&lt;b&gt;" in text
    assert found["text"] == "<p>"
    assert found["during"] == ["{% nothing %}", 2]


def test_a_sink_without_a_project_gets_whole_paths(tmp_path: Path) -> None:
    """
    Where the project is not known, a stamp names the whole path.
    """
    (tmp_path / "cart.html").write_text("<p>")
    with collecting("template_sources") as kept:
        assert isinstance(kept, KeptFacts)
        found = environment(tmp_path).get_template("cart.html").render()
    assert found == f'<p data-reticle-source="{tmp_path}/cart.html:1">'
