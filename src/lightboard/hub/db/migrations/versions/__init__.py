"""One file a change: `NNNN_what.py`, never edited once it was released."""
