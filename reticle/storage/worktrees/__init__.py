"""
The files of repositories on this machine: which there are, what is in them, who serves them.
"""
