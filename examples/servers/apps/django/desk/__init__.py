"""
The order desk in Django, over its ORM.
"""
