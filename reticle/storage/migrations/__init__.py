"""
The schema's history: an Alembic environment that ships as package data (DESIGN §10).

``reticle.storage.schema`` runs it; a developer makes a new step with Alembic's own commands, see
``docs/operations/files.md``.
"""
