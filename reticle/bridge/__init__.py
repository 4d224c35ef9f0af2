"""
The pages behind the WebSocket: what is connected, what it reported, what it was asked.
"""
