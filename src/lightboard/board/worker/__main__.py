"""`python -m lightboard.board.worker`: started by a launcher, which sends the configuration on standard input."""

from lightboard.board.worker.start import main

main()
