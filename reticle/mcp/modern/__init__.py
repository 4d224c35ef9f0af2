"""
Revision 2026-07-28 without I/O: no handshake and no session, every request says what it needs.

``judge`` is the ladder that a request climbs before anything runs, ``envelope`` what its ``_meta`` says,
``params`` what each method wants, ``results`` what every answer carries.
"""
