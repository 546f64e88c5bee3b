"""Each change of the tables, as Alembic runs them; oldest first by the number their names begin with."""
