"""Loads event files into series and keeps them up to date."""
