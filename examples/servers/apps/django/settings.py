"""
The settings of the Django example.
"""

from __future__ import annotations

import os
from pathlib import Path

BASE_DIR = Path(__file__).parent
DEBUG = True
SECRET_KEY = "an example keeps nothing secret"
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
ROOT_URLCONF = "desk.urls"
INSTALLED_APPS = ["desk", "reticle.probe.django"]
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR / "desk.db"}}
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [BASE_DIR]}]
EMAIL_HOST = "127.0.0.1"
EMAIL_PORT = int(os.environ.get("DESK_MAIL_PORT", "0"))
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
