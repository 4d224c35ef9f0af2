"""
Makes ``reticle`` a sub-command of ``twistd`` and ``twist``.
"""

from twisted.application.service import ServiceMaker

reticle = ServiceMaker(
    "reticle",
    "reticle.tap",
    "The daemon that tells a coding agent whether its change really works.",
    "reticle",
)
