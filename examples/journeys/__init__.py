"""
The checkout of the example shop, driven through reticle; the demo and the system tests share it.
"""
