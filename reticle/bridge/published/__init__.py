"""
The dialect of the published ``@reticlehq`` page packages (2.0.0): what they do otherwise than our script,
and the traps that a caller must not fall into (page-wire §8, §9, §16).
"""
