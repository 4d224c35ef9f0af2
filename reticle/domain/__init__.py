"""
The rules: pure, synchronous, told the time and the facts; they give a value back.
"""
