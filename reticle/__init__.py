"""
reticle: the daemon that tells a coding agent whether its change really works.
"""
