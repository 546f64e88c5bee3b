"""Event files into series, and keeping up with them."""
