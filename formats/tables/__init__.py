"""Delimited tables: their dialect, their rows, their columns."""
