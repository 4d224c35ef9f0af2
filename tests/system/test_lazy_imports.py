"""
What is loaded when: quick commands stay quick, and the port opens before the heavy libraries are read.

Each program runs in an interpreter of its own, where nothing has been imported yet.
"""

from __future__ import annotations

import datetime as dt
import os
import ssl
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

pytestmark = pytest.mark.system
RELEASED = Path(__file__).parents[1] / "unit/storage/released"


def printed(program: str, *arguments: str, folder: Path, **environment: str) -> str:
    """
    The last line that a program prints.
    """
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder, capture_output=True, text=True, check=True, timeout=60, env={**os.environ, **environment},
    )  # fmt: skip
    return done.stdout.splitlines()[-1]


def test_reading_settings_needs_the_standard_library_only(tmp_path: Path) -> None:
    """
    The quick commands stay quick: settings load nothing that has to be installed.
    """
    program = (
        "import sys, reticle.settings;"
        "print([m for m in ('twisted','attrs','attr','msgspec','click','platformdirs','sqlalchemy')"
        " if m in sys.modules])"
    )
    assert printed(program, folder=tmp_path) == "[]"


@pytest.mark.parametrize("arguments", [["--version"], ["status"], ["stop"], ["serve", "--help"]])
def test_quick_commands_load_neither_twisted_nor_the_database(arguments: list[str], tmp_path: Path) -> None:
    """
    Asking for the version or the status does not wait for imports that only the daemon needs.
    """
    program = (
        "import sys; from reticle.cli.main import run; run(sys.argv[1:]);"
        "print([m for m in ('twisted', 'zope', 'sqlalchemy', 'websockets') if m in sys.modules])"
    )
    assert printed(program, *arguments, folder=tmp_path) == "[]"


def test_the_store_loads_the_database_library_late(tmp_path: Path) -> None:
    """
    Making a store does not import SQLAlchemy.
    """
    program = (
        "import sys; from pathlib import Path; from reticle.storage.store import Store;"
        "from reticle.testing.threads import ThreadCalls;"
        "Store(Path(sys.argv[1]), ThreadCalls(), now=lambda: 1.0); print('sqlalchemy' in sys.modules)"
    )
    assert printed(program, str(tmp_path), folder=tmp_path) == "False"


def test_a_start_is_spared_sqlalchemy_and_alembic(tmp_path: Path) -> None:
    """
    Neither the first start, which makes a database and a token, nor a later one waits for these imports.
    """
    program = (
        "import os, sys; from pathlib import Path; from twisted.internet.defer import Deferred;"
        "from reticle.service.bootstrap import ensure_client_token;"
        "from reticle.storage.store import Store; from reticle.testing.threads import ThreadCalls;"
        "folder, calls = Path(sys.argv[1]), ThreadCalls(); store = Store(folder, calls, now=lambda: 1.0);"
        "store.startService(); calls.result_of(store.whenOpen());"
        "token = ensure_client_token(folder / 'token', store.tokens, now=lambda: 1.0, random=os.urandom);"
        "calls.result_of(Deferred.fromCoroutine(token)); calls.result_of(store.stopService());"
        "print([name for name in ('sqlalchemy', 'alembic') if name in sys.modules])"
    )
    assert [printed(program, str(tmp_path), folder=tmp_path) for _ in range(2)] == ["[]", "[]"]


def test_nothing_is_imported_before_the_first_scrape(tmp_path: Path) -> None:
    """
    A daemon that nobody scrapes does not load the client library, and an application's own default
    registry stays untouched.
    """
    program = (
        "import sys\n"
        "from reticle.transport.metrics import Metrics\n"
        "metrics = Metrics(mcp_sessions=lambda: 0, pages=lambda: 0)\n"
        "metrics.call_ended('x', 'ok')\n"
        "before = 'prometheus_client' in sys.modules\n"
        "metrics.exposition()\n"
        "from prometheus_client import REGISTRY, generate_latest\n"
        "print(before, b'reticle' in generate_latest(REGISTRY))\n"
    )
    assert printed(program, folder=tmp_path) == "False False"


def test_the_browser_is_loaded_with_the_first_lease(tmp_path: Path) -> None:
    """
    A daemon that drives nothing does not carry what drives.
    """
    program = (
        "import sys, reticle.service.daemon;"
        "print(sorted(m for m in sys.modules if m.startswith('reticle.browser.')))"
    )
    assert printed(program, folder=tmp_path) == "['reticle.browser.failures', 'reticle.browser.late']"


INITIALIZE = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    '"capabilities":{},"clientInfo":{"name":"a","version":"1"}}}'
)


def test_a_handshake_is_answered_before_the_rest_is_loaded(tmp_path: Path) -> None:
    """
    The first agent waits neither for the tools and their rules, nor for what pages need, nor for OpenSSL.
    """
    program = (
        "import sys; from pathlib import Path\n"
        "from reticle.cli.tls_later import load_reactor; load_reactor()\n"
        "from twisted.internet import reactor\n"
        "from reticle.model.codes import Carrier; from reticle.model.trust import LOCAL\n"
        "from reticle.service.daemon import Daemon; from reticle.settings import Settings\n"
        "from reticle.testing.sinks import RecordedSink\n"
        "folder, body = Path(sys.argv[1]), sys.argv[2].encode()\n"
        "settings = Settings(state_dir=folder / 's', runtime_dir=folder / 'r')\n"
        "daemon, sink = Daemon(settings, reactor=reactor, listen=False), RecordedSink()\n"
        "conversation = daemon.parts.conversations.open(LOCAL, Carrier.HTTP, sink)\n"
        "conversation.receive(body); conversation.close()\n"
        "heavy = ('OpenSSL', 'websockets', 'reticle.bridge.', 'reticle.dispatch.gate', 'reticle.tools.')\n"
        "there = sorted(name for name in sys.modules if name.startswith(heavy))\n"
        "print('serverInfo' in sink.messages()[0]['result'], there)"
    )
    assert printed(program, str(tmp_path), INITIALIZE, folder=tmp_path) == (
        "True ['reticle.bridge.late', 'reticle.bridge.late_server_facts']"
    )


def test_https_is_dialled_by_a_reactor_that_was_loaded_without_it(tmp_path: Path) -> None:
    """
    OpenSSL is loaded when somebody needs it: treq reaches a server by TLS, and verifies its certificate.
    """
    certificate = make_certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        answering = Thread(target=server.serve_forever, daemon=True)
        answering.start()
        program = (
            "import sys; from reticle.cli.tls_later import load_reactor; load_reactor()\n"
            "before = 'OpenSSL' in sys.modules\n"
            "import treq; from twisted.internet.task import react\n"
            "async def dial(reactor):\n"
            "    answer = await treq.get(sys.argv[1]); print(before, answer.code, flush=True)\n"
            "from twisted.internet.defer import Deferred\n"
            "react(lambda reactor: Deferred.fromCoroutine(dial(reactor)))"
        )
        url = f"https://localhost:{server.server_address[1]}/"
        done = printed(program, url, folder=tmp_path, SSL_CERT_FILE=str(certificate))
        server.shutdown()
        answering.join()
    assert done == "False 501"


def make_certificate(folder: Path) -> Path:
    """
    A key and a certificate for ``localhost`` that it signed itself, in one file.
    """
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=True)
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path = folder / "certificate.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, *form)
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path
