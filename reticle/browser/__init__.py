"""
The Chromium that the daemon drives (provides ``ports.Browser``).

framing, messages → conversation (sans-I/O: commands, sessions, death) ← pipe | attached (bytes).
conversation → documents (a document's link to the bridge) → tab → context → chromium → driver.
Nothing here is imported before the first browser lease is asked for.
"""
