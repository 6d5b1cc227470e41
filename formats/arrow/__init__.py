"""Entries as columns of Apache Arrow: the schema, and the way there and back."""
