"""Names, notes, colours and marks that users give to runs, and saved views. Stored outside the logdir."""
