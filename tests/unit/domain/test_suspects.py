"""
The function that a failed claim speaks of, and that ran for it, is named before others.
"""

from __future__ import annotations

import re

import attrs

from reticle.domain.claim_words import ClaimWords
from reticle.domain.suspects import joined, weigh
from reticle.model.runs import Position, Routine, RunScript, Why

ADDRESS = "http://app.test/shop.js"

CODE = """\
import { api } from "/lib.js";

function show(state) {
  byId("total").textContent = money(state.cents);
}

async function addToCart(product) {
  cart.setState(await api("POST", "/api/cart", { product }));
}

async function favour(product) {
  const mark = (on) => heart.setAttribute("aria-pressed", on);
  await api("PUT", "/api/favourites", { product });
}

async function exportAll() {
  await api("POST", "/api/export");
}

function redeem(event) {
  send(event);
}

byId("coupon").addEventListener("submit", redeem);
byId("sort").addEventListener("change", () => { load(); });
"""


def script(ran: str = "", before: str = "", code: str = CODE) -> RunScript:
    """
    The code with its functions; those named in ``ran`` ran in the action, those in ``before`` earlier.
    """
    routines = [Routine("", 0, len(code), ran=False, before=1)]
    for found in re.finditer(r"(?:async )?function (\w+)[\s\S]*?\n}", code):
        name = found[1]
        routines.append(
            Routine(name, found.start(), found.end(), name in ran.split(), int(name in before.split()))
        )
    arrows = re.finditer(r"\(on\) =>[^;]*|\(\) => \{[^}]*\}", code)
    routines += [Routine("", found.start(), found.end(), "arrow" in ran.split(), 0) for found in arrows]
    return RunScript(ADDRESS, code, routines)


def words(*texts: str) -> ClaimWords:
    """
    Of a claim that speaks of those.
    """
    said = ClaimWords()
    for text in texts:
        said.add(text, 1.0)
    return said


def lines(one: RunScript, said: ClaimWords, *sent: tuple[str, int, int]) -> list[int]:
    """
    The lines that are named, in order.
    """
    return [suspect.position.line for suspect in weigh([one], said, [sent] if sent else [])]


def test_the_function_with_the_requests_address_comes_first() -> None:
    """
    A claim about a request leads to the code that sends it.
    """
    assert lines(script("addToCart favour show"), words("/api/cart"))[0] == 7
    assert lines(script("addToCart favour show"), words("/api/favourites"))[0] in (11, 12)


def test_a_function_that_did_not_run_is_found_by_what_it_speaks_of() -> None:
    """
    A listener that was never bound did not run: that is the fault.
    """
    assert lines(script("show", before="show"), words("/api/export"))[0] == 16


def test_what_ran_in_this_action_alone_comes_before_what_runs_always() -> None:
    """
    Of two that speak of the same.
    """
    said = words("product")
    assert lines(script("addToCart favour", before="favour"), said)[0] == 7
    assert lines(script("addToCart favour", before="addToCart"), said)[0] in (11, 12)


def test_a_line_that_binds_a_listener_speaks_for_it() -> None:
    """
    The element's id stands beside the name of the function, or before the function itself.
    """
    assert lines(script("redeem"), words("coupon"))[0] == 20
    assert lines(script("arrow"), words("sort"))[0] == 25


def test_who_sent_the_request_is_named_with_that_reason() -> None:
    """
    Also where it speaks of nothing in the claim.
    """
    named = weigh([script("favour")], words("nothing there"), [[(ADDRESS, 13, 9)]])
    assert (named[0].position.line, named[0].why) == (11, Why.SENT)


def test_of_a_function_inside_another_one_is_named() -> None:
    """
    The inner one where it has most of what speaks for both.
    """
    assert lines(script("favour arrow"), words("aria-pressed", "pressed")).count(12) == 1
    assert 11 not in lines(script("favour arrow"), words("aria-pressed", "pressed"))


def test_nothing_is_named_where_nothing_speaks_for_anything() -> None:
    """
    No place rather than a wrong one.
    """
    assert lines(script(), words("elsewhere")) == []
    assert weigh([], words("cart"), []) == ()


def test_an_inline_script_is_told_by_its_line_in_the_document() -> None:
    """
    As a person finds it.
    """
    code = "function pay() { send('/api/pay'); }\n"
    routine = Routine("pay", 0, len(code) - 1, ran=True, before=0)
    one = RunScript("http://app.test/", code, [routine], None, 40, 8, is_inline=True)
    (named,) = weigh([one], words("/api/pay"), [])
    assert named.position == Position("http://app.test/", 41, 9, None, is_inline=True)


def test_what_a_likely_function_calls_is_likely_too() -> None:
    """
    The less the more others call it; a function that only calls another is none to look at.
    """
    code = (
        "function price(cents) {\n  return cents;\n}\n"
        "function row() {\n  return cell('sum', price(1)) + box('a') + box('b');\n}\n"
        "function other() {\n  return box('c');\n}\n"
        "function box(name) {\n  return name;\n}\n"
        "function only() {\n  row(sum);\n}\n"
    )
    named = lines(script("price row other box only", code=code), words("sum"))
    assert named[0] == 4
    assert named.index(1) < named.index(10)
    assert 13 not in named[:2]


def test_a_word_in_a_functions_own_name_says_more() -> None:
    """
    Than one in its text.
    """
    code = "function first() {\n  currency();\n}\nfunction setCurrency() {\n  return 1;\n}\n"
    assert lines(script("first setCurrency", code=code), words("currency of all"))[0] == 4


def test_a_script_of_two_documents_is_one() -> None:
    """
    What either ran, ran; one whose text is not there is left out.
    """
    one, other = script("show"), script("favour", before="show")
    (both,) = joined([one, other, attrs.evolve(one, text="")])
    ran = {routine.name: (routine.ran, routine.before) for routine in both.routines if routine.name}
    assert (ran["show"], ran["favour"], ran["redeem"]) == ((True, 1), (True, 0), (False, 0))


def test_what_a_bundler_puts_around_a_file_is_not_named() -> None:
    """
    Nor does it keep the functions in it from being named.
    """
    many = "".join(f"function f{number}() {{\n  return {number};\n}}\n" for number in range(200))
    inner = f"{many}function pay() {{\n  send('/api/pay');\n}}\n"
    code = f"(() => {{\n{inner}}})();\n"
    functions = script("pay", code=code)
    around = Routine("", 1, len(code) - 5, ran=True, before=0)
    bundle = attrs.evolve(functions, routines=[*functions.routines, around])
    assert lines(bundle, words("/api/pay")) == [602]


def test_who_was_handed_a_function_that_did_not_run_is_named() -> None:
    """
    It has it run later, and perhaps never does.
    """
    code = (
        "function later(work) {\n  setTimeout(work, 400000);\n}\n"
        'later(() => {\n  keep("draft");\n});\n'
        "function other() {\n  return 1;\n}\n"
    )
    assert lines(script(code=code, before="later"), words("draft")) == [4, 1]
