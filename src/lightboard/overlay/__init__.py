"""What people add to runs: names, notes, hidden, archived, colours, saved views. Never written inside the logs."""
