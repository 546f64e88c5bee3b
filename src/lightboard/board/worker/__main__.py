"""`python -m lightboard.board.worker`: started by a launcher, which says the rest on standard input."""

from lightboard.board.worker.start import main

main()
