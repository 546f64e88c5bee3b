"""Embeddings: the tensors that configs name, what goes with them, and their layouts. Loaded when first asked for."""
