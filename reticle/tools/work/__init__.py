"""
The methods of the work (DESIGN §9), one module for each family.
"""
