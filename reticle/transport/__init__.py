"""
The faces outwards: HTTP resources, event streams, WebSockets. They move bytes and decide nothing.
"""
