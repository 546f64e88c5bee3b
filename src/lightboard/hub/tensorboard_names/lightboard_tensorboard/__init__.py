"""The command and the notebook extension of TensorBoard, answered by Lightboard where TensorBoard is not installed."""
