"""
The variants of the shop: faults, planted with ``?fault=<name>``, and traps, set with ``?trap=<name>``.

A fault leaves the screen looking healthy. A trap is sound behaviour that looks wrong.
"""

from __future__ import annotations

SILENT_500 = "silent-500"
DOUBLE_SUBMIT = "double-submit"
LATE_DUPLICATE = "late-duplicate"
DEAD_BUTTON = "dead-button"
STORE_LIES = "store-lies"
CONSOLE_ERROR = "console-error"
LATE_CRASH = "late-crash"
LYING_TOAST = "lying-toast"
LYING_TOAST_200 = "lying-toast-200"
HALF_ORDER = "half-order"
ADDRESS_IGNORED = "address-ignored"
ACCEPTED_ONLY = "accepted-only"
JOB_FAILS = "job-fails"
SESSION_EXPIRED = "session-expired"
NEVER_ANSWERED = "never-answered"
REFUND_IN_EUROS = "refund-in-euros"
BLANK_ROUTE = "blank-route"
RESTLESS_BLANK_ROUTE = "restless-blank-route"
LOGIN_FORGOTTEN = "login-forgotten"
BLAMES_THE_USER = "blames-the-user"
STALE_SEARCH = "stale-search"

FAULTS = {
    SILENT_500: "the order fails with a 500 and the screen says thank you",
    DOUBLE_SUBMIT: "one click places the order twice",
    LATE_DUPLICATE: "the order is sent again 250 ms after it went through",
    DEAD_BUTTON: "the order button does nothing",
    STORE_LIES: "the app's store holds another total than the screen",
    CONSOLE_ERROR: "the order goes through and the console shows an error",
    LATE_CRASH: "the order goes through and the page throws a moment later",
    LYING_TOAST: "the toast says the order is placed over a 409",
    LYING_TOAST_200: "the toast says the order is placed over a 200 that carries an error",
    HALF_ORDER: "the order is answered with 201, and one of its lines with an error",
    ADDRESS_IGNORED: "the server ships to an old address and says so, the screen does not",
    ACCEPTED_ONLY: "the server has only accepted the order (202), and the screen says it is placed",
    JOB_FAILS: "the order is accepted (202), its job fails, and the screen says it is placed",
    SESSION_EXPIRED: "the order is sent on to the login page, and its 200 is taken for success",
    NEVER_ANSWERED: "the screen says thank you and the order is never answered",
    REFUND_IN_EUROS: "the refund is sent in euros to a server that counts in cents",
    BLANK_ROUTE: "the address becomes /checkout and the screen stays what it was",
    RESTLESS_BLANK_ROUTE: "the same, on a page that polls and counts without ever coming to rest",
    LOGIN_FORGOTTEN: "the login is answered with 200 and forgotten",
    BLAMES_THE_USER: "the login fails with a 500 and the screen says the password is wrong",
    STALE_SEARCH: "the answer to the first letter comes last and replaces the right suggestions",
}

LATE_ANSWER = "late-answer"
SLOW_ORDER = "slow-order"
SOLD_OUT = "sold-out"
RESTLESS = "restless"
POLLS_BY_POST = "polls-by-post"
SHORT_TOAST = "short-toast"
RETRY = "retry"
IN_FINNISH = "in-finnish"

TRAPS = {
    LATE_ANSWER: "the answer to the first letter comes last and is rightly dropped",
    SLOW_ORDER: "the order takes 900 ms, with a placeholder that comes and goes",
    SOLD_OUT: "a line is put in at once, the server refuses it, and the page takes it back and says so",
    RESTLESS: "the page polls and counts without ever coming to rest",
    POLLS_BY_POST: "the page asks the same by POST without ever coming to rest, as GraphQL does",
    SHORT_TOAST: "the message of success goes again after 250 ms",
    RETRY: "the order fails with a 503, is sent again at once and goes through",
    IN_FINNISH: "the order is refused with a 422, and the page marks the field and says so in Finnish",
}
