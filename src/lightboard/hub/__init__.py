"""The control plane: projects, jobs and TensorBoards, who sees them, and what runs where. Never imports the board."""
