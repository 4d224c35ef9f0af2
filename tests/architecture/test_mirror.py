"""
Every module has its unit tests where a reader looks for them, or stands below with the reason why not.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

ELSEWHERE = {
    "_version": "one constant",
    "ports/": "Protocols: a fake or a part that does not fit fails the type check",
    "model/": "vocabulary without behaviour; tests/architecture compares it with the documents",
    "testing/": "fakes: every test of their users is a test of them",
    "__main__": "entry point, started by tests/system",
    "bridge/wire_values": "values without behaviour; both roads of bridge/test_wire*.py make them",
    "cli/stdio": "an entry in the list of commands; reticle.__main__ starts the front before it is asked",
    "cli/tls_later": "system/test_lazy_imports.py starts without OpenSSL, and dials with it",
    "cli/exits": "a table of numbers, seen in cli/test_main.py and cli/test_stop.py",
    "service/composition": "only joins parts; tests/system starts it whole",
    "service/bridging": "only joins parts; as above",
    "service/driving": "only joins parts; tests/system/test_drive.py drives and kills it",
    "service/offering": "only joins parts; as above",
    "service/run": "owns the process; tests/system starts and kills it",
    "storage/migrations/": "storage/test_schema.py compares them with the tables",
    "storage/tables": "storage/test_schema.py compares them with the migrations",
    "settings/credentials": "settings/test_reading.py reads tokens from every place",
    "settings/parsers": "settings/test_reading.py gives every setting right and wrong values",
    "settings/sources": "settings/test_reading.py reads settings from every place",
    "storage/audit": "storage/test_stores.py asks all stores over one database",
    "storage/tokens": "storage/test_grants.py asks both stores, in the database and in memory",
    "storage/repositories": "storage/test_grants.py asks both stores, in the database and in memory",
    "storage/audit_check": "storage/test_audit_chain.py checks chains that it tampered with",
    "domain/findings/invariant_broken": "domain/test_invariants.py judges windows by it",
    "tools/declared_invariants": "tools/test_invariants.py reads both files of a project through it",
    "domain/predicate/true_order": "domain/predicate/test_timing.py orders answers through it",
    "domain/predicate/json_path": "domain/predicate/test_bodies.py reads bodies through it",
    "domain/predicate/relation_grammar": "domain/predicate/test_relation_sides.py compares tables and parser",
    "domain/predicate/relation_values": "domain/predicate/test_relation.py reads every side through it",
    "domain/explanation": "tools/test_recorded_verdict.py explains verdicts with it",
    "domain/verdict_record": "resources/test_verdict.py and tools/test_recorded_verdict.py read it",
    "storage/journal_rows": "storage/test_journal.py writes, prunes and reads every row through it",
    "storage/surrogates": "storage/test_verdict_json.py and test_window_json.py keep half characters",
    "storage/verdicts": "storage/test_stores.py asks all stores over one database",
    "storage/connection": "storage/test_database.py and test_schema.py open real files through it",
    "storage/column_types": "one type, of which storage/test_schema.py compares what came of it",
    "storage/driver": "a Protocol; every store test runs on both databases through it",
    "storage/place": "Protocols, as driver",
    "storage/dialect": "storage/test_several_daemons.py has two daemons lock and tell",
    "storage/postgres_driver": "as dialect, and every store test runs on it",
    "storage/daemon_id": "storage/test_several_daemons.py starts lives of one daemon",
    "transport/answering": "transport/test_streams.py and test_streamable_http.py drain through it",
    "transport/http_answer": "transport/test_streamable.py reads every answer off the wire",
    "transport/page_handshake": "transport/test_page_socket.py shakes hands through it",
    "transport/post_head": "transport/test_streamable.py sends every kind of head",
    "transport/post_reply": "transport/test_streamable.py reads every answer off the wire",
    "transport/resumption": "transport/test_streamable_session.py comes back through it",
    "transport/sse_response": "transport/test_streamable_session.py reads every stream off the wire",
    "transport/numbered_stream": "transport/test_streamable_session.py reads every stream off the wire",
    "transport/fast_lane_head": "transport/test_fast_lane.py sends every kind of head by both roads",
    "transport/fast_lane_request": "transport/test_fast_lane.py compares it with twisted.web's",
    "transport/head_memo": "transport/test_fast_lane.py judges each head, and each credential anew",
    "transport/channel": "transport/test_page_socket.py upgrades through it",
    "pytest_plugin/daemon": "system/test_pytest_plugin.py starts it in a pytest of its own",
    "pytest_plugin/plugin": "as above: pytest loads it",
    "pytest_plugin/probed": "as above: the app in the test's process tells what it did",
    "pytest_plugin/running": "as above: every test there opens a page through it",
    "pytest_plugin/outcomes": "pytest_plugin/test_pages.py raises each of them",
    "client/channel": "client/test_client.py drives it over scripted links",
    "client/link": "a socket: tests/system and tests/conformance dial through it",
    "relay/carrier": "a Protocol",
    "relay/carrying": "only joins parts; tests/system/test_stdio.py starts it whole",
    "relay/connection": "sockets: tests/system/test_stdio_links.py cuts them in every place",
    "relay/link": "sockets: tests/system/test_stdio_links.py is its other end",
    "relay/loop": "descriptors: tests/system/test_stdio_streams.py abuses them",
    "relay/posts": "sockets: tests/system/test_stdio_links.py is its other end",
    "relay/starting": "processes: tests/system/test_stdio.py starts, kills and counts them",
    "relay/trouble": "records without behaviour",
    "agent/launch": "a record",
    "agent/outer_terminal": "a terminal: tests/system/test_agent_loop_terminal.py sits before it",
    "agent/pty_program": "processes: tests/system/test_agent_loop*.py start, stop and flood them",
    "agent/signals": "a process's signals: tests/system/test_agent_loop*.py send each",
    "agent/streams": "descriptors: tests/system/test_agent_loop_pressure.py fills them",
    "agent/supervisor": "only joins parts; tests/system/test_agent_loop*.py run it whole",
    "cli/agent_loop": "an entry point; as above",
    "browser/chromium": "browser/test_driver.py opens, closes and loses contexts through it",
    "browser/failures": "words; browser/test_driver.py fails in every way",
    "browser/pipe": "a process: tests/system/test_drive.py starts and kills it",
    "browser/starting": "a process: tests/system/test_drive.py starts and kills it",
    "browser/stored_databases": "scripts: tests/system/test_driven_agents.py keeps and restores databases",
    "browser/storage_visits": "browser/test_driver.py keeps a login and puts it back",
    "browser/tab": "browser/test_driver.py prepares tabs, test_documents.py what is in them",
    "bridge/dialect": "a Protocol",
    "bridge/own": "bridge/test_page.py drives a page of our own script",
    "bridge/command_line": "bridge/test_page.py sends through it, over reconnects and losses",
    "bridge/self_report": "bridge/test_page.py and bridge/published/ tell it who they are",
    "bridge/published/": "test_published_acts, _reads and _losses drive the dialect whole, as a page does",
    "mcp/events": "records without behaviour",
    "mcp/modern/words": "constants",
    "mcp/modern/envelope": "mcp/modern/test_ladder.py climbs through it",
    "mcp/modern/routing": "mcp/modern/test_ladder.py climbs through it",
    "mcp/modern/params": "dispatch/test_exchange.py sends every kind of them",
    "mcp/modern/results": "dispatch/test_exchange.py looks at every kind of them",
    "dispatch/asked": "dispatch/test_exchange.py asks, is told progress and logs",
    "dispatch/methods": "dispatch/test_exchange.py asks for each, and for those that are gone",
    "dispatch/per_request": "dispatch/test_exchange.py shares it",
    "dispatch/feature_requests": "dispatch/test_exchange.py reads, prompts and completes",
    "dispatch/tool_requests": "dispatch/test_rounds.py and test_escalation.py call through it",
    "dispatch/concluding": "dispatch/test_rounds.py and test_escalation.py end in it",
    "dispatch/task": "dispatch/test_escalation.py asks, answers and ends them",
    "dispatch/task_requests": "dispatch/test_escalation.py asks about tasks through it",
    "dispatch/running_tasks": "dispatch/test_escalation.py fills, expires and drains them",
    "domain/findings/": "domain/findings/test_detectors.py: every detector over the same windows",
    "domain/predicate/kinds": "records; domain/predicate/test_parse.py makes each",
    "domain/predicate/fields": "domain/predicate/test_parse.py reads every field through it",
    "dispatch/inner_calls": "dispatch/test_gate.py calls, refuses and stops a call inside a call",
    "dispatch/page_conclusion": "dispatch/test_gate.py ends calls about pages in every way",
    "dispatch/outcome": "a record; dispatch/test_gate.py sees every way of ending",
    "prompts/spec": "records; dispatch/test_prompting.py reads them",
    "prompts/wording": "prompts/test_verify.py: what the person said, and what it did not",
    "resources/spec": "records; dispatch/test_readable.py reads them",
    "tools/list_walk": "tools/test_scroll_to.py walks lists of every kind",
    "tools/manual": "prose; tests/architecture/test_reference_pages.py compares it with the code",
    "tools/spec": "what a tool is; tools/test_contract.py holds every tool to it",
    "tools/token_arguments": "tools/test_tokens.py asks in every way",
    "tools/unlisted_manual": "prose, as tools/manual",
    "tools/work_manual": "prose, as tools/manual",
    "tools/arguments": "declarations; tools/test_contract.py reads every schema made of them",
    "tools/verdicts": "tools/test_act_and_wait.py and test_assertion.py, the two tools that are made of it",
    "probe/insertion/": "probe/test_corpus.py sends real apps' answers through it",
    "probe/own_paths": "probe/test_own_answers.py asks for each over every server",
    "probe/wsgi_call": "probe/test_wsgi.py drives it as servers do",
    "probe/asgi_call": "probe/test_asgi.py drives it as servers do",
    "probe/asgi_relay": "sockets: tests/system/test_probe_relay.py joins a page and a daemon",
    "probe/twisted_relay": "sockets: tests/system/test_probe_relay.py joins a page and a daemon",
    "probe/relay_line": "sockets: tests/system/test_probe_relay.py joins a page and a daemon",
    "probe/django/": "probe/django/test_middleware.py answers requests of both kinds of Django",
    "probe/words": "constants; a test of the daemon's side compares them",
    "probe/sql": "probe/test_sql_sqlite.py and its siblings: every library tells its statements by it",
    "probe/startup/": "run by Python itself: tests/system/test_run.py starts apps with it",
    "probe/daemon_link": "sockets: tests/system/test_probe_transport.py is its other end",
    "probe/collection": "a list; probe/test_probing.py puts all in and takes all out",
    "probe/limits": "constants; the tests of what they limit fill each",
    "domain/work/calling": "domain/work/test_claimed.py calls as everybody who must not",
    "domain/work/ending": "domain/work/test_recovery.py and test_sessions.py end runs and sessions",
    "domain/work/life": "domain/work/test_lives.py goes through every life",
    "domain/work/packet": "domain/work/test_claim.py reads packets",
    "domain/work/queue": "domain/work/test_interleavings.py queues in every order",
    "storage/work/": "domain/work/test_interleavings.py and tools/work/ change and read all of it",
    "storage/work_tables": "storage/test_schema.py compares them with the migrations",
    "tools/work/calls": "tools/work/test_packets.py calls through it",
    "tools/work/given_plan": "tools/work/test_runs.py gives plans in calls, test_plan_files.py in files",
    "tools/work/holding": "tools/work/test_gates.py and test_packets.py hold packets through it",
    "tools/work/packets_shown": "tools/work/test_packets.py looks at packets again",
    "tools/work/stories": "tools/work/test_views.py asks why of every kind of id",
    "tools/work/shown": "tools/work/test_views.py looks at all that it shows",
    "domain/work/artifact": "tools/work/test_artifacts.py publishes, reads and lists through it",
    "domain/work/completion": "tools/work/test_gates.py completes packets through it",
    "domain/work/others_work": "tools/work/test_gates.py lets agents work side by side",
    "domain/work/plan_gates": "tools/work/test_gates.py prepares plans that nobody could meet",
    "domain/work/review_words": "tools/work/test_reviews.py decides in every word",
    "tools/work/publication": "tools/work/test_artifacts.py publishes through it",
    "domain/work/review": "tools/work/test_reviews.py decides reviews through it",
    "tools/work/baseline": "tools/work/test_gates.py changes files before and after the claim",
    "tools/work/evidence": "tools/work/test_gates.py names verdicts of every kind",
    "tools/wait_for": "tools/test_assertion.py runs both tools that take a claim and do not act",
}
"""Module, or folder with a slash at its end, to where its behaviour is tested instead."""

WHOLES = {
    "bridge/published/test_published_acts", "bridge/published/test_published_losses",
    "bridge/published/test_published_reads", "bridge/published/test_recorded_answers",
    "bridge/test_recorded_traffic", "contracts/test_browser",
    "contracts/test_pages",
    "dispatch/test_authorization_properties",
    "storage/test_several_daemons",
    "domain/findings/test_detectors",
    "domain/findings/test_server_findings",
    "domain/test_defects", "domain/test_field_reports", "domain/test_forged_lines",
    "domain/work/test_interleavings", "storage/work/test_interleavings",
    "domain/test_cause_properties", "domain/test_verdict_properties", "examples/test_api",
    "examples/test_journeys", "examples/test_report", "examples/test_shop", "page/test_page",
    "probe/test_alone", "probe/test_corpus", "probe/test_howto", "probe/test_own_answers",
    "probe/test_pitfalls", "relay/test_one_answer",
    "settings/test_documentation", "storage/test_grants", "storage/test_stores", "storage/test_upgrades",
    "test_package", "tools/test_contract", "tools/work/test_gates",
    "transport/test_encoded_tokens", "transport/test_strict_listener",
}  # fmt: skip
"""Tests of several modules at once, or of what is no module."""


def modules() -> list[str]:
    """
    Every module, as its path below the package without the ending.
    """
    package = ROOT / "reticle"
    found = (path.relative_to(package).with_suffix("") for path in package.rglob("*.py"))
    return sorted(str(path) for path in found if path.name != "__init__")


def mirrors() -> set[str]:
    """
    Every unit test file, in the same way.
    """
    folder = ROOT / "tests/unit"
    return {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("test_*.py")}


def mirror_of(module: str) -> str:
    """
    Where the unit tests of a module belong.
    """
    folder, _, name = f"/{module}".rpartition("/")
    return f"{folder}/test_{name}".lstrip("/")


def covers(entry: str, module: str) -> bool:
    """
    Whether an entry of ``ELSEWHERE`` speaks of the module.
    """
    return module.startswith(entry) if entry.endswith("/") else module == entry


def test_every_module_has_its_tests_or_a_reason() -> None:
    """
    Who changes a module finds its tests beside it, or reads here where they are.
    """
    there = mirrors()
    untested = [
        module
        for module in modules()
        if mirror_of(module) not in there and not any(covers(entry, module) for entry in ELSEWHERE)
    ]
    assert untested == []


def test_no_reason_outlives_its_module() -> None:
    """
    An entry whose module is gone, or got tests of its own, says something false.
    """
    there, known = mirrors(), modules()
    stale = [
        entry
        for entry in ELSEWHERE
        if not any(covers(entry, module) for module in known)
        or (not entry.endswith("/") and mirror_of(entry) in there)
    ]
    assert stale == []


def test_every_unit_test_belongs_to_a_module() -> None:
    """
    A test file whose module was renamed or removed is found.
    """
    expected = {mirror_of(module) for module in modules()}
    assert mirrors() - expected == WHOLES
