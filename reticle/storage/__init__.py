"""
What survives a restart: the state and runtime directories, and the database behind one writer thread.
"""
