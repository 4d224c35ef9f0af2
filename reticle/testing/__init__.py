"""
Public fakes: what a unit test, ours or an embedder's, puts in place of the outside world.
"""
