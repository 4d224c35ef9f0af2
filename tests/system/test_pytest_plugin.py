"""
The pytest plugin in a pytest of its own, over a real daemon and its browser.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.system.test_stdio_examples import examples, pattern
from tests.system.web_app import QuietHandler, serving

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("drives")]

SECONDS = 180

SHOP = '''
import json

PAGE = b"""<!doctype html><title>Shop</title><h1>Shop</h1>
<button onclick="pay()">Pay</button><button onclick="note.textContent = 'Sorry'">Ask</button>
<p id=note role=status></p>
<script>
async function pay() {
  const answer = await fetch('/orders', {method: 'POST', body: '{}'});
  note.textContent = answer.ok ? 'Thank you' : 'Not paid';
}
</script>"""


def app(environ, start_response):
    if environ["REQUEST_METHOD"] == "POST":
        start_response("201 Created", [("Content-Type", "application/json")])
        return [json.dumps({"order": 1}).encode()]
    start_response("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    return [PAGE]
'''


class Outcome:
    """
    What a pytest printed, its exit code and its JUnit file.
    """

    def __init__(self, code: int, printed: str, junit: Path) -> None:
        self.code = code
        self.printed = printed
        self._junit = junit

    def verdicts(self) -> list[str]:
        """
        The ids of verdicts in the JUnit file.
        """
        found = ET.parse(self._junit).iter("property")
        return [each.get("value", "") for each in found if each.get("name") == "reticle_verdict"]


def run(folder: Path, test: str, ini: str = "") -> Outcome:
    """
    Run one test file beside the shop.
    """
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_shop.py").write_text(test)
    (folder / "pytest.ini").write_text(f"[pytest]\n{ini}\n")
    environment = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "140", "NO_COLOR": "1"}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junit-xml=junit.xml"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return Outcome(ended.returncode, ended.stdout + ended.stderr, folder / "junit.xml")


def test_a_proved_claim_passes(tmp_path: Path) -> None:
    """
    A test over an app that works is green, and its verdict's id stands in JUnit's file.
    """
    outcome = run(
        tmp_path,
        """
from reticle.pytest_plugin import net, text
from shop import app

def test_paying(reticle):
    page = reticle.open(app)
    assert "Pay" in page.snapshot()
    verdict = page.click(role="button", name="Pay").expects(
        net("POST", "/orders", status=201, count=1), text("Thank you")
    )
    assert verdict.verified == "yes"
    assert reticle.open(app, path="/second").session_id != page.session_id
""",
    )
    assert outcome.code == 0, outcome.printed
    assert "1 passed" in outcome.printed
    [verdict] = outcome.verdicts()
    assert re.fullmatch(r"verdict_[0-9a-f]+", verdict)


def test_what_is_not_proved_fails_with_the_evidence(tmp_path: Path) -> None:
    """
    The failure shows the test's own line, what was claimed and what was seen instead, and nothing of ours.
    """
    outcome = run(
        tmp_path,
        """
from reticle.pytest_plugin import text
from shop import app

def test_asking(reticle):
    page = reticle.open(app)
    page.click(role="button", name="Ask").expects(text("Thank you"), timeout_ms=500)

def test_forgotten(reticle):
    reticle.open(app).click(role="button", name="Ask")

def test_misspelt(reticle):
    reticle.open(app).click(role="button", name="Ask").expects({"kind": "text", "contain": "Sorry"})
""",
    )
    assert outcome.code == 1
    assert "2 failed" in outcome.printed, outcome.printed
    assert "1 error" in outcome.printed
    assert re.search(r"^> +page.click\(role=", outcome.printed, re.MULTILINE)
    assert re.search(r"E +reticle.pytest_plugin.outcomes.VerdictNo: ", outcome.printed)
    assert "Thank you" in outcome.printed
    assert re.search(r"^-+ Captured explanation of verdict_[0-9a-f]+ call -+$", outcome.printed, re.MULTILINE)
    assert "how each part came out" in outcome.printed
    assert "reticle explain" not in outcome.printed
    assert "was never made" in outcome.printed
    assert "contains" in outcome.printed
    assert "pages.py" not in outcome.printed
    assert len(outcome.verdicts()) == 1


UNKNOWN = """
from reticle.pytest_plugin import sql

def test_rows(reticle):
    page = reticle.open("{url}")
    page.click(role="button", name="Pay").expects(sql("INSERT", "orders"), timeout_ms=500)
"""


class Shop(QuietHandler):
    """
    The shop in a server that tells nothing.
    """

    def do_GET(self) -> None:
        """
        The page.
        """
        self.answer(200, "text/html", b"<!doctype html><title>Shop</title><button>Pay</button>")


def test_unknown_fails_unless_the_project_says_otherwise(tmp_path: Path) -> None:
    """
    What could not be told is no pass; a project may have such tests skipped, with the reason.
    """
    with serving(Shop) as url:
        test = UNKNOWN.replace("{url}", url)
        strict = run(tmp_path, test)
        lenient = run(tmp_path, test, ini="reticle_unknown = skip")
        wrong = run(tmp_path, test, ini="reticle_unknown = maybe")
    assert strict.code == 1
    assert "VerdictUnknown" in strict.printed, strict.printed
    assert lenient.code == 0, lenient.printed
    assert "1 skipped" in lenient.printed
    assert "it is one of fail, skip, xfail" in wrong.printed


def test_the_page_about_it_is_true(tmp_path: Path) -> None:
    """
    Whoever copies the files and commands of the how-to sees what it shows.
    """
    page = (Path(__file__).parents[2] / "docs/howto/pytest.md").read_text("utf-8")
    for name, content in re.findall(r"^`(\S+)`:\n\n```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(content)
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "pytest").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -m pytest -p no:cacheprovider "$@"\n'
    )
    (commands / "pytest").chmod(0o755)
    environment = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "PYTHONPATH": str(tmp_path)}
    assert len(examples("howto/pytest.md")) == 3
    for command, shown in examples("howto/pytest.md"):
        done = subprocess.run(
            ["/bin/sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=SECONDS, check=False, env=environment, cwd=tmp_path,
        )  # fmt: skip
        assert re.fullmatch(pattern(shown), done.stdout.strip(), re.DOTALL), f"{command}\n{done.stdout}"


LIVE = """
import json
import multiprocessing
import socket
import sqlite3

import django
import flask
import pytest
from django.conf import settings
from django.http import HttpResponse
from django.urls import path
from shop import PAGE
from reticle.pytest_plugin import sql, text

settings.configure(
    ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], MIDDLEWARE=[], STATIC_URL="/static/", MEDIA_URL="/media/"
)
django.setup()
from django.test import Client
from django.test.testcases import LiveServerThread, _StaticFilesHandler

def write():
    with sqlite3.connect("shop.db") as database:
        database.execute("CREATE TABLE IF NOT EXISTS orders (number)")
        database.execute("INSERT INTO orders VALUES (1)")

def shop(request, *_):
    if request.method == "POST":
        write()
    return HttpResponse(PAGE)

urlpatterns = [path("", shop), path("orders", shop)]

def pays(reticle, live_server):
    reticle.open(live_server).click(role="button", name="Pay").expects(
        sql("INSERT", "orders", count=1), text("Thank you")
    )

class TestDjango:
    @pytest.fixture(scope="class")
    def live_server(self):
        # as pytest-django's: a thread
        thread = LiveServerThread("localhost", _StaticFilesHandler, connections_override={})
        thread.daemon = True
        thread.start()
        thread.is_ready.wait()
        thread.url = f"http://localhost:{thread.port}"
        yield thread
        thread.terminate()

    def test_it_stands_before_the_daemon(self, live_server):
        assert live_server.error is None

    def test_paying(self, live_server, reticle):
        pays(reticle, live_server)

    def test_a_test_client_is_left_alone(self):
        assert "Server-Timing" not in Client().get("/", headers={"Sec-Fetch-Dest": "document"})

class TestFlask:
    @pytest.fixture(scope="class")
    def app(self):
        app = flask.Flask("shop")
        app.add_url_rule("/", view_func=lambda: PAGE)
        app.add_url_rule("/orders", "orders", lambda: write() or "ok", methods=["POST"])
        return app

    @pytest.fixture(scope="class")
    def live_server(self, app):
        # as pytest-flask's: a fork
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        child = multiprocessing.get_context("fork").Process(
            target=app.run, args=("127.0.0.1", port), daemon=True
        )
        child.start()
        while True:
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
        child.url = lambda path="": f"http://127.0.0.1:{port}{path}"
        yield child
        child.kill()  # a reactor of the test run's other plugins may take SIGTERM

    def test_paying(self, live_server, reticle):
        pays(reticle, live_server)
"""


def test_live_servers_of_django_and_flask_are_seen_into(tmp_path: Path) -> None:
    """
    The project has no line of ours, and the live server is asked for first, even by a test without a page.
    """
    outcome = run(tmp_path, LIVE)
    assert outcome.code == 0, outcome.printed
    assert "4 passed" in outcome.printed
