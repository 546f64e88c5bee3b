"""The database of the hub (SQLite or PostgreSQL, with SQLAlchemy). Rights on resources are checked only here."""
