"""Embeddings: the tensors in projector configs, their metadata and their layouts. Imported at the first request."""
