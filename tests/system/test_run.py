"""
``reticle run``: a project that knows nothing of reticle is watched, with its reloader and its workers.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.system.played_daemon import PlayedDaemon

ROOT = Path(__file__).resolve().parents[2]
PAGE = "<!doctype html><html><head></head><body>hi</body></html>"

pytestmark = pytest.mark.system

FLASK = f"""
import sys
from flask import Flask
app = Flask(__name__)
@app.get("/")
def home():
    return {PAGE!r}
@app.get("/boom")
def boom():
    raise ValueError("boom")
if __name__ == "__main__":
    app.run(port=int(sys.argv[1]), debug=True)
"""

DJANGO = f"""
import sys
from django.conf import settings
from django.http import HttpResponse
from django.urls import path
def home(request):
    return HttpResponse({PAGE!r})
def boom(request):
    raise ValueError("boom")
urlpatterns = [path("", home), path("boom", boom)]
if not settings.configured:
    settings.configure(
        DEBUG=True, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="x", MIDDLEWARE=[],
        INSTALLED_APPS=[],
    )
if __name__ == "__main__":
    from django.core.management import execute_from_command_line
    execute_from_command_line(sys.argv)
"""

FASTAPI = f"""
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
app = FastAPI()
@app.get("/", response_class=HTMLResponse)
async def home():
    return {PAGE!r}
@app.get("/boom")
def boom():
    raise ValueError("boom")
"""

KLEIN = f"""
import sys
from klein import Klein
app = Klein()
@app.route("/")
def home(request):
    request.setHeader("content-type", "text/html")
    return {PAGE!r}
@app.route("/boom")
def boom(request):
    raise ValueError("boom")
app.run("127.0.0.1", int(sys.argv[1]))
"""

PLAIN = f"""
import sys
from wsgiref.simple_server import make_server
def app(environ, start_response):
    if environ["PATH_INFO"] == "/boom":
        raise ValueError("boom")
    start_response("200 OK", [("Content-Type", "text/html")])
    return [{PAGE!r}.encode()]
make_server("127.0.0.1", int(sys.argv[1]), app).serve_forever()
"""


MODULE = f"""
def app(environ, start_response):
    if environ["PATH_INFO"] == "/boom":
        raise ValueError("boom")
    start_response("200 OK", [("Content-Type", "text/html")])
    return [{PAGE!r}.encode()]
"""
GUNICORN = ["python", "-m", "gunicorn", "-b", "127.0.0.1:PORT", "-w", "2"]


class App(NamedTuple):
    """
    A project: its source, the command that starts it, and the distribution that it needs.
    """

    source: str
    command: list[str]
    needs: str


APPS = {
    "flask with its reloader": App(FLASK, ["python", "shop.py", "PORT"], "flask"),
    "django with its reloader": App(DJANGO, ["python", "shop.py", "runserver", "PORT"], "django"),
    "fastapi in two workers": App(
        FASTAPI, ["python", "-m", "uvicorn", "--port", "PORT", "--workers", "2", "shop:app"], "fastapi"
    ),
    "klein": App(KLEIN, ["python", "shop.py", "PORT"], "klein"),
    "plain wsgi": App(PLAIN, ["python", "shop.py", "PORT"], "sys"),
    "plain wsgi in gunicorn's workers": App(MODULE, [*GUNICORN, "shop:app"], "gunicorn"),
    "plain wsgi in greenlets of gevent": App(MODULE, [*GUNICORN, "-k", "gevent", "shop:app"], "gevent"),
}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[PlayedDaemon]:
    """
    A daemon whose runtime file is in the test's folder.
    """
    playing = PlayedDaemon(tmp_path)
    yield playing
    playing.close()


def free_port() -> int:
    """
    A port that nobody listens on now.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def environ_of(folder: Path, **more: str) -> dict[str, str]:
    """
    The environment of a terminal in which the daemon's runtime directory is known.
    """
    ours = {"RETICLE_PROBE", "PYTHONPATH"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**kept, "RETICLE_RUNTIME_DIR": str(folder), "PATH": path, **more}


def start(folder: Path, *command: str, **more: str) -> subprocess.Popen[str]:
    """
    Start a command under ``reticle run``, as a group of its own.
    """
    return subprocess.Popen(
        [sys.executable, "-m", "reticle", "run", "--", *command],
        cwd=folder, env=environ_of(folder, **more), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, start_new_session=True,
    )  # fmt: skip


def get(url: str) -> tuple[int, str]:
    """
    Ask for a page until somebody answers; status and body.
    """
    end = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(url, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, answer.read().decode()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@pytest.mark.parametrize("name", APPS)
def test_a_project_is_watched_without_a_change(name: str, daemon: PlayedDaemon, tmp_path: Path) -> None:
    """
    The page carries the script, the request its view, and the exception its line.
    """
    app = APPS[name]
    pytest.importorskip(app.needs)
    (tmp_path / "shop.py").write_text(app.source)
    port = free_port()
    running = start(tmp_path, *(word.replace("PORT", str(port)) for word in app.command))
    try:
        status, body = get(f"http://127.0.0.1:{port}/")
        end = time.monotonic() + 20
        while "/__reticle__/sdk.js" not in body and time.monotonic() < end:  # it is fetched beside the first
            status, body = get(f"http://127.0.0.1:{port}/")
        assert status == 200
        assert body.count("/__reticle__/sdk.js") == 1
        assert get(f"http://127.0.0.1:{port}/boom")[0] == 500
        fault = daemon.wait_for(lambda fact: fact["kind"] == "exception" and fact["type"] == "ValueError")
        assert fault["handled"] == "unhandled"
        assert (fault["frames"][0]["file"], fault["frames"][0]["function"]) == (
            str(tmp_path / "shop.py"), "app" if "def app" in app.source else "boom",
        )  # fmt: skip
        assert fault["rid"] is not None
        started = [fact["rid"] for fact in daemon.lines if fact["kind"] == "request.started"]
        assert len(started) == len(set(started))
        assert Path(fault["hello"]["project"]).resolve() == tmp_path.resolve()
    finally:
        os.killpg(running.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.communicate(timeout=20)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()


def ended(folder: Path, *command: str, **more: str) -> tuple[int, str]:
    """
    Run a command to its end under ``reticle run``; its exit code and what it said.
    """
    running = start(folder, *command, **more)
    said, _ = running.communicate(timeout=60)
    return running.returncode, said


def test_the_exit_code_and_the_signal_are_the_commands(tmp_path: Path) -> None:
    """
    A script around ``reticle run`` sees what it would see without it.
    """
    code, _ = ended(tmp_path, "python", "-c", "import sys; sys.exit(7)")
    assert code == 7
    code, _ = ended(tmp_path, "python", "-c", "import os, signal; os.kill(os.getpid(), signal.SIGTERM)")
    assert code == -signal.SIGTERM


def test_the_environments_own_sitecustomize_still_runs(tmp_path: Path) -> None:
    """
    What a project does when Python starts is done, and its path is as it was.
    """
    own = tmp_path / "own"
    own.mkdir()
    (own / "sitecustomize.py").write_text("print('theirs', __name__)\n")
    show = "import sys; print([each for each in sys.path if 'startup' in each])"
    code, said = ended(tmp_path, "python", "-c", show, PYTHONPATH=str(own))
    assert (code, "theirs sitecustomize" in said, "[]" in said) == (0, True, True)


def test_a_python_without_reticle_is_watched_too(tmp_path: Path) -> None:
    """
    The project's own environment need not have reticle installed.
    """
    show = (
        "import sys; import reticle.probe.emission as e; print(e.sink is not None,"
        " [each for each in sys.path if 'site-packages' in each], 'attrs' in sys.modules)"
    )
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    code, said = ended(tmp_path, str(base), "-S", "-c", f"import site; site.main(); {show}")
    assert (code, "True" in said) == (0, True), said


@pytest.mark.parametrize("stage", ["production", "prod"])
def test_production_is_refused(tmp_path: Path, stage: str) -> None:
    """
    In production it says why it does nothing, and does not start the server.
    """
    code, said = ended(tmp_path, "python", "-c", "print('started')", APP_ENV=stage)
    assert code == 78
    assert "APP_ENV" in said
    assert "started" not in said


def test_a_command_that_is_not_there_is_named(tmp_path: Path) -> None:
    """
    A typing mistake is told in one line.
    """
    code, said = ended(tmp_path, "no-such-command-here")
    assert code == 1
    assert "no-such-command-here" in said


def facts(daemon: PlayedDaemon, kind: str) -> list[dict[str, Any]]:
    """
    The facts of a kind so far.
    """
    return [fact for fact in daemon.lines if fact["kind"] == kind]


def test_each_process_speaks_for_itself(daemon: PlayedDaemon, tmp_path: Path) -> None:
    """
    A forked worker's facts are told apart from its parent's, and both arrive.
    """
    script = (
        "import logging, os, time\nlogging.warning('parent')\n"
        "if os.fork() == 0:\n    logging.warning('child')\n"
        "    time.sleep(2)\n"  # the flush at the end is short, and a machine may be busy
        "else:\n    os.wait()\n"
    )
    code, _ = ended(tmp_path, "python", "-c", script)
    assert code == 0
    daemon.wait_for(lambda fact: fact.get("message") == "parent")
    daemon.wait_for(lambda fact: fact.get("message") == "child")
    assert len({fact["hello"]["process"] for fact in facts(daemon, "log")}) == 2
