"""
Where the work is kept; provides ``ports.WorkStore``. No rule stands here: they come as arguments.
"""
