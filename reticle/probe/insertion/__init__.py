"""
Putting the page script's tag into the app's HTML, without I/O.

``prologue`` finds the place, ``candidates`` decides by request and headers whether there may be one,
``policy`` asks the Content-Security-Policy, ``headers`` says what else has to change, and ``rewriting`` is
one answer on its way out. The app's bytes are never changed, only the tag stands between them.
"""
