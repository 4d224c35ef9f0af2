"""
What an app stores in the browser.
"""

from __future__ import annotations

from reticle.model.codes import Capability, CommandName
from reticle.model.limits import ANSWER_CHARS
from reticle.testing.pages import Asked
from reticle.testing.toolcalls import Scene, answer_of, refusal_of
from reticle.tools.storage import HTTP_ONLY, TOOLS, VALUE_SHOWN_CHARS

STORAGE = TOOLS[0]
AREAS = {
    "areas": [
        {"area": "local", "values": {"theme": "dark", "auth_token": "[REDACTED]"}, "count": 2},
        {"area": "session", "values": {}, "count": 0},
        {"area": "cookies", "values": {"lang": "de"}, "count": 1},
    ]
}


def test_whole_areas_come_by_their_names(scene: Scene) -> None:
    """
    Without a key every area is a map of what it holds; an empty one is told as empty.
    """
    scene.page.answer(CommandName.STORAGE_READ, AREAS)
    answer = answer_of(STORAGE, scene.context, {})
    assert answer.fields == {
        "local": {"theme": "dark", "auth_token": "[REDACTED]"}, "session": {}, "cookies": {"lang": "de"},
    }  # fmt: skip
    assert answer.text == (
        "local:\n- theme = dark\n- auth_token = [REDACTED]\nsession: empty\ncookies:\n- lang = de"
    )
    assert scene.page.asked == [Asked(CommandName.STORAGE_READ, {})]


def test_one_key_says_where_it_is(scene: Scene) -> None:
    """
    The first area that has the key is named, and others that have it too; an empty value is a value.
    """
    found = {"found": True, "area": "local", "key": "theme", "value": "", "alsoIn": ["cookies"]}
    scene.page.answer(CommandName.STORAGE_READ, found)
    answer = answer_of(STORAGE, scene.context, {"key": "theme"})
    assert answer.fields == found
    assert scene.page.asked == [Asked(CommandName.STORAGE_READ, {"key": "theme"})]


def test_a_value_that_was_cut_says_its_length(scene: Scene) -> None:
    """
    Who reads a long value knows that it is not all of it.
    """
    page = {"found": True, "area": "local", "key": "a", "value": "x…", "truncated": True, "length": 5000}
    scene.page.answer(CommandName.STORAGE_READ, page)
    assert answer_of(STORAGE, scene.context, {"key": "a"}).fields == page


def test_a_miss_names_what_is_there(scene: Scene) -> None:
    """
    A misspelt key is seen beside the keys of the area; of cookies it is said which are not seen.
    """
    missed = {"found": False, "area": "cookies", "key": "long", "value": None}
    scene.page.answer(CommandName.STORAGE_READ, missed, times=1)
    scene.page.answer(CommandName.STORAGE_READ, {"areas": AREAS["areas"][2:]})
    answer = answer_of(STORAGE, scene.context, {"area": "cookies", "key": "long"})
    assert answer.fields == {
        "found": False, "area": "cookies", "key": "long", "availableKeys": {"cookies": ["lang"]},
        "note": HTTP_ONLY,
    }  # fmt: skip
    assert scene.page.asked[1] == Asked(CommandName.STORAGE_READ, {"area": "cookies"})


def test_a_miss_in_local_storage_says_nothing_of_cookies(scene: Scene) -> None:
    """
    There a key that is not found is not there.
    """
    missed = {"found": False, "area": "local", "key": "x", "value": None}
    scene.page.answer(CommandName.STORAGE_READ, missed, times=1)
    scene.page.answer(CommandName.STORAGE_READ, {"areas": AREAS["areas"][:1]})
    assert "note" not in answer_of(STORAGE, scene.context, {"area": "local", "key": "x"}).fields


def test_what_the_browser_forbids_is_not_called_empty(scene: Scene) -> None:
    """
    An area of a sandboxed page is unknown, with and without a key.
    """
    forbidden = {"areas": [{"area": "local", "values": {}, "count": 0, "unavailable": True}]}
    scene.page.answer(CommandName.STORAGE_READ, forbidden)
    fields = answer_of(STORAGE, scene.context, {"area": "local"}).fields
    assert (fields["unavailable"], "local" in fields) == (["local"], False)
    assert "not known" in str(fields["note"])
    missed = {"found": False, "area": "local", "key": "x", "value": None, "unavailable": ["local"]}
    scene.page.answer(CommandName.STORAGE_READ, missed, times=1)
    fields = answer_of(STORAGE, scene.context, {"area": "local", "key": "x"}).fields
    assert (fields["found"], fields["unavailable"]) == (False, ["local"])
    assert "not known" in str(fields["note"])


def test_a_full_storage_fits_into_an_answer(scene: Scene) -> None:
    """
    Long values are cut and many keys left out, with the exact count in sight.
    """
    values = {f"k{number}": "ü" * 1024 for number in range(200)}
    full = [{"area": area, "values": values, "count": 900} for area in ("local", "session", "cookies")]
    scene.page.answer(CommandName.STORAGE_READ, {"areas": full})
    answer = answer_of(STORAGE, scene.context, {})
    local = answer.fields["local"]
    assert isinstance(local, dict)
    assert len(local["k0"]) < VALUE_SHOWN_CHARS + 20
    assert answer.fields["truncated"] == {"local": 900, "session": 900, "cookies": 900}
    assert answer.text is not None
    assert len(answer.text) <= ANSWER_CHARS + 200
    assert f"local: ({len(local)} of 900 keys)" in answer.text


def test_an_unreadable_answer_is_not_an_empty_storage(scene: Scene) -> None:
    """
    A page that answers something else has told nothing.
    """
    scene.page.answer(CommandName.STORAGE_READ, {"areas": "none"})
    assert refusal_of(STORAGE, scene.context, {}).code == "page_error"


def test_it_only_reads() -> None:
    """
    Who may observe may read it, and nothing in it can be changed.
    """
    assert (STORAGE.capability, STORAGE.annotations.read_only) == (Capability.OBSERVE, True)
    assert (STORAGE.acts, STORAGE.advertised) == (False, False)


SHOP = {
    "name": "shop",
    "version": 2,
    "stores": [{"name": "orders", "keyPath": "id", "indexes": [], "count": 0}],
}
IN_ORDERS = {"area": "indexeddb", "database": "shop", "store": "orders"}


def test_databases_are_listed_with_their_stores(scene: Scene) -> None:
    """
    The whole look names them; asked for, each comes with what its stores hold, empty ones too.
    """
    scene.page.answer(CommandName.STORAGE_READ, {**AREAS, "databases": ["shop"]}, times=1)
    answer = answer_of(STORAGE, scene.context, {})
    assert answer.fields["databases"] == ["shop"]
    assert (answer.text or "").endswith("indexeddb: shop")
    scene.page.answer(CommandName.STORAGE_READ, {"area": "indexeddb", "databases": [SHOP], "count": 12})
    fields = answer_of(STORAGE, scene.context, {"area": "indexeddb"}).fields
    assert {name: fields[name] for name in ("databases", "totalDatabases")} == {
        "databases": [SHOP], "totalDatabases": 12,
    }  # fmt: skip


def test_records_of_a_store_come_bounded_and_one_of_them_whole(scene: Scene) -> None:
    """
    A long value is cut among others and not when it was asked for by its key.
    """
    long = "x" * 900
    records = [{"key": str(number), "value": long} for number in range(50)]
    store = {"name": "shop", "store": "orders", "count": 60, "records": records, "truncated": True}
    scene.page.answer(CommandName.STORAGE_READ, {"area": "indexeddb", "databases": [store]}, times=1)
    fields = answer_of(STORAGE, scene.context, {"database": "shop", "store": "orders"}).fields
    shown = fields["records"]
    assert isinstance(shown, list)
    assert (fields["count"], fields["truncated"], shown[0]["key"]) == (60, True, "0")
    assert len(shown[0]["value"]) < 2 * VALUE_SHOWN_CHARS
    one = {"name": "shop", "store": "orders", "found": True, "key": "7", "value": long}
    scene.page.answer(CommandName.STORAGE_READ, {"area": "indexeddb", "databases": [one]})
    fields = answer_of(STORAGE, scene.context, {**IN_ORDERS, "key": "7"}).fields
    assert (fields["found"], fields["value"], fields["database"]) == (True, long, "shop")
    assert scene.page.asked[-1] == Asked(CommandName.STORAGE_READ, {**IN_ORDERS, "key": "7"})


def test_what_is_not_there_and_what_cannot_be_known_are_told_apart(scene: Scene) -> None:
    """
    A misspelt database is answered with those that there are, a record with found: false.
    """
    scene.page.answer(
        CommandName.STORAGE_READ, {"area": "indexeddb", "found": False, "databases": ["shop"]}, times=1
    )
    fields = answer_of(STORAGE, scene.context, {**IN_ORDERS, "database": "shp"}).fields
    assert (fields["found"], fields["databases"]) == (False, ["shop"])
    gone = {"name": "shop", "store": "orders", "found": False, "key": "7", "value": None}
    scene.page.answer(CommandName.STORAGE_READ, {"area": "indexeddb", "databases": [gone]}, times=1)
    assert answer_of(STORAGE, scene.context, {**IN_ORDERS, "key": "7"}).fields["found"] is False
    scene.page.answer(CommandName.STORAGE_READ, {"area": "indexeddb", "unavailable": True})
    assert answer_of(STORAGE, scene.context, IN_ORDERS).fields["unavailable"] == ["indexeddb"]


def test_a_store_is_one_of_a_database(scene: Scene) -> None:
    """
    Cookies have no stores.
    """
    assert refusal_of(STORAGE, scene.context, {"area": "cookies", "store": "x"}).code == "bad_arguments"
