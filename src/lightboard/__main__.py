"""`python -m lightboard` is `lightboard`."""

from lightboard.cli.main import main

raise SystemExit(main())
