"""
The probe for Django: ``"reticle.probe.django"`` in ``INSTALLED_APPS``, and nothing else.

The app puts its middleware first; who wants to see it named lists ``reticle.probe.django.middleware.reticle``
at the top of ``MIDDLEWARE`` himself. It is on with ``DEBUG = True`` or with ``RETICLE_PROBE=1``.
"""
