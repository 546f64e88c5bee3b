"""The control plane: projects, TensorBoards, who may see them, and where they run. Does not import the board."""
