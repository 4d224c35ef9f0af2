"""
Detectors of a project's own, beside those of ``reticle.domain.findings``.

``docs/howto/detectors.md`` has an example. They are named in the setting ``detectors``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from zope.interface import Attribute, Interface

from reticle.model.verdict import Finding
from reticle.model.window import Window


class IDetector(Interface):
    """
    Looks at one recorded window for two channels that disagree.

    It is asked once for each verdict, sometimes more often while the page is watched, and in the loop: it
    must answer within a few milliseconds, wait for nothing and change nothing.
    """

    kind = Attribute("The kind of its findings: lower-case words with hyphens, none of reticle's own (str).")

    def find(window: Window, claim: Mapping[str, object]) -> Iterable[Finding]:  # noqa: N805 -- zope's interfaces name no self
        """
        What disagrees: an observed finding makes the verdict ``no``, a doubt ``unknown``.

        Each finding's ``kind`` is the detector's, its ``detail`` plain JSON. An exception is logged once; the
        verdict is then given without this detector and says so.

        Args:
            window: Recorded, and frozen.
            claim: What was claimed, in the grammar's own names.
        """
