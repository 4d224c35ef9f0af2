"""
Python runs this when it starts, because ``reticle run`` put its folder first in ``PYTHONPATH``.

It runs the ``sitecustomize`` that the environment would have had, and then lets the probe watch which
framework the app imports. Whatever goes wrong here, the program starts as without it.
"""

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1]


def run_theirs() -> None:
    """
    Run the one that ours hides.
    """
    sys.path[:] = [each for each in sys.path if each != str(HERE)]
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


def activate() -> None:
    """
    Load the probe from where this file lies: the app's environment need not have it.
    """
    spec = PathFinder.find_spec("reticle", sys.path)
    if spec is None:
        spec = spec_from_file_location(
            "reticle", PACKAGE / "__init__.py", submodule_search_locations=[str(PACKAGE)]
        )
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules["reticle"] = module
        spec.loader.exec_module(module)
    from reticle.probe.activation import activate as begin  # noqa: PLC0415 - the package is there only now

    begin()


run_theirs()
if sys.version_info >= (3, 11):  # noqa: UP036 - the app's Python, which may be any
    try:
        activate()
    except Exception as fault:  # noqa: BLE001 - the program matters, not the probe
        sys.stderr.write(f"reticle: the probe stays off: {fault!r}\n")
