"""
Work that only a verdict closes: a shop with planted bugs, agents that mend it, and one that lies.
"""
