"""
The one road of every call: authorise, validate, run, audit, answer.
"""
