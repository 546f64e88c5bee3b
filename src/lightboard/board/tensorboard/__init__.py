"""TensorBoard's own addresses, so that what was written for it goes on working."""
