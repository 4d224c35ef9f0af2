"""
From a place in a running script to the place in the file that a person wrote: source maps (ECMA-426).

``vlq`` and ``source_map`` read maps, ``names`` says which file a map means, ``references`` finds the map of a
script; none of them does any I/O. ``fetching`` gets what they read, ``atlas`` remembers it, ``placing`` puts
the places into what a page reported.
"""
