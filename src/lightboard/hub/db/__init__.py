"""What the hub remembers: SQLite or PostgreSQL, through SQLAlchemy. Whoever asks is checked here, and nowhere above."""
