"""TensorBoard's HTTP routes, for clients that were written for TensorBoard."""
