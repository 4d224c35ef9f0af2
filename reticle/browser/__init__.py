"""
The browser that the daemon drives: a Chromium found on this machine over a pipe, or one that runs already.
"""
