"""
Where a value comes from is named behind the likeliest function: who made it, who stopped short, who wrote it.
"""

from __future__ import annotations

import re

from reticle.domain.claim_words import ClaimWords
from reticle.domain.origins import Frame, Wrong
from reticle.domain.suspects import weigh
from reticle.model.runs import Routine, RunScript

ADDRESS = "http://app.test/orders.js"

CODE = """\
function asked() {
  return { page: query.get("page") ?? "1" };
}

async function api(method, path, body) {
  return fetch(path, { method, body });
}

async function load() {
  const found = await api("GET", `/api/orders?${new URLSearchParams(asked())}`);
}

function select(id, on) {
  orders.setState({ selected: on ? [id] : [] });
}

async function archive() {
  const { selected } = orders.getState();
  await api("POST", "/api/orders/archive", { ids: selected });
}

async function count(product, number) {
  await api("PUT", `/api/stock/${product}`, { stock: number });
}

function saved(event) {
  count(event.target.name, event.target.value);
}

function shown(state) {
  byId("orders").textContent = state.selected ? "orders" : "";
}
"""


def script(ran: str, before: str = "") -> RunScript:
    """
    The code; the functions named in ``ran`` ran in the action, those in ``before`` earlier.
    """
    routines = [Routine("", 0, len(CODE), ran=False, before=1)]
    for found in re.finditer(r"(?:async )?function (\w+)[\s\S]*?\n}", CODE):
        name = found[1]
        ends = (found.start(), found.end())
        routines.append(Routine(name, *ends, name in ran.split(), int(name in before.split())))
    return RunScript(ADDRESS, CODE, routines)


def at(text: str) -> Frame:
    """
    The frame of a call.
    """
    before = CODE[: CODE.index(text)]
    return ADDRESS, before.count("\n") + 1, len(before) - before.rfind("\n")


def named(one: RunScript, wrong: Wrong, text: str = "/api/orders") -> list[str]:
    """
    The functions that are named for a claim that speaks of a text, in order.
    """
    said = ClaimWords()
    said.add(text, 1.0)
    names = {routine.begin: routine.name for routine in one.routines}
    return [names[suspect.key[1]] for suspect in weigh([one], said, [wrong.sent], wrong=wrong)]


FETCH = at("fetch(path")


def test_what_is_called_for_an_argument_made_it() -> None:
    """
    A wrong address is the doing of who reads the page's number, not of all who hand it on.
    """
    one = script("asked api load shown")
    wrong = Wrong((FETCH, at('api("GET"')))
    assert named(one, wrong)[:2] == ["load", "asked"]
    assert "asked" not in named(one, Wrong())[:2]


def test_who_wrote_what_is_taken_out_of_a_state_made_it_also_when_it_ran_earlier() -> None:
    """
    Two were ticked and one is sent: the ticking is at fault.
    """
    one = script("archive api shown", before="select")
    wrong = Wrong((FETCH, at('api("POST"')))
    assert named(one, wrong, "/api/orders/archive")[:2] == ["archive", "select"]
    never = script("archive api shown")  # nobody ticked anything
    assert "select" not in named(never, wrong, "/api/orders/archive")[:2]


def test_who_was_given_it_leads_to_its_caller() -> None:
    """
    Parameters are handed on: where the first of them were read is named.
    """
    one = script("count api saved shown")
    wrong = Wrong((FETCH, at('api("PUT"'), at("count(event")))
    assert named(one, wrong, "/api/stock")[:2] == ["count", "saved"]


def test_who_ran_up_to_a_request_that_was_not_sent_stopped_short() -> None:
    """
    It calls what sends, and that did not run; where it did run nobody stopped.
    """
    one = script("asked load shown", before="api load")
    assert named(one, Wrong(unsent=True), "orders")[:2] == ["shown", "load"]
    sent = script("asked api load shown", before="api load")
    assert named(sent, Wrong(unsent=True), "shown")[:1] == ["shown"]
    assert named(sent, Wrong(unsent=True), "shown") == named(sent, Wrong(), "shown")


def test_who_writes_a_state_counts_for_more_than_who_reads_it() -> None:
    """
    As long as it ran.
    """
    one = script("select shown archive")
    wrong = Wrong(written=("selected",))
    assert named(one, wrong, "textContent")[:2] == ["shown", "select"]
    assert "select" not in named(script("shown archive"), wrong, "textContent")[:2]


def test_who_took_a_refusal_is_named_where_nothing_of_it_is_shown() -> None:
    """
    The function through which all is sent too: it reads the answer.
    """
    one = script("archive api shown select count", before="api")
    refused = Wrong(untold=(FETCH, at('api("POST"')))
    assert named(one, refused, "archive orders")[:2] == ["archive", "api"]
    assert "api" not in named(one, Wrong(), "archive orders")[:2]


LINKS = """\
const WORDS = { en: { back: "Back to the list" }, de: { back: "Zur Liste" } };
function page(t) {
  return link("/tasks", t("back"));
}
function other(t) {
  return link("/tasks", "Other tasks", t("backwards"));
}
function go(to) {
  history.pushState(null, "", to);
}
"""


def test_who_wrote_a_link_that_led_elsewhere_says_its_words_or_asks_for_them() -> None:
    """
    Where a link leads is written beside what it says, and not in what follows all links.
    """
    routines = [Routine("", 0, len(LINKS), ran=False, before=1)]
    each = re.finditer(r"function (\w+)[\s\S]*?\n}", LINKS)
    routines += [Routine(found[1], *found.span(), found[1] == "go", 1) for found in each]
    one = RunScript(ADDRESS, LINKS, routines)
    assert named(one, Wrong(led="Back to the list"), "pushState")[:2] == ["go", "page"]
    assert named(one, Wrong(led="Other tasks"), "pushState")[:2] == ["go", "other"]
    assert named(one, Wrong(led="No such link"), "pushState") == ["go"]
