"""
The faults that can be planted with ``?fault=<name>``: each leaves the screen looking healthy.
"""

from __future__ import annotations

SILENT_500 = "silent-500"
DOUBLE_SUBMIT = "double-submit"
DEAD_BUTTON = "dead-button"
STORE_LIES = "store-lies"
CONSOLE_ERROR = "console-error"
LYING_TOAST = "lying-toast"
LYING_TOAST_200 = "lying-toast-200"

FAULTS = {
    SILENT_500: "the order fails with a 500 and the screen says thank you",
    DOUBLE_SUBMIT: "one click places the order twice",
    DEAD_BUTTON: "the order button does nothing",
    STORE_LIES: "the app's store holds another total than the screen",
    CONSOLE_ERROR: "the order goes through and the console shows an error",
    LYING_TOAST: "the toast says the order is placed over a 409",
    LYING_TOAST_200: "the toast says the order is placed over a 200 that carries an error",
}
