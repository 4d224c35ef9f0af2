"""
What the daemon was told: flags, environment and ``reticle.toml``, read once into one frozen value.

Every entry point (``reticle serve``, ``twistd reticle``, an embedding app) goes through
``read_settings``, so the same words give the same answer whichever way they came.
Standard library only. Where directories lie when nothing is said is decided by
``reticle.storage.directories``. ``docs/operations/configuration.md`` lists every setting.
"""

from __future__ import annotations

from reticle.errors import ConfigurationFault
from reticle.settings.options import OPTIONS, Option
from reticle.settings.parsers import HttpAddress, SecretText, is_loopback
from reticle.settings.reading import CONFIG_FILE, find_config, read_settings, working_directory
from reticle.settings.values import Settings

__all__ = [
    "CONFIG_FILE",
    "OPTIONS",
    "ConfigurationFault",
    "HttpAddress",
    "Option",
    "SecretText",
    "Settings",
    "find_config",
    "is_loopback",
    "read_settings",
    "working_directory",
]
