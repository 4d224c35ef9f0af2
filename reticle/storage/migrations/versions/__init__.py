"""
One module per step; a step that has shipped is never edited.
"""
