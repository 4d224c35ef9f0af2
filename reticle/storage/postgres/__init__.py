"""
PostgreSQL, where several daemons share their work (DESIGN §10).

psycopg is an extra (``pip install "txreticle[postgres]"``) and is imported when a database is opened.
"""
