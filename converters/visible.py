"""Others' text where a person reads it: nothing in it may steer a terminal or reorder a line."""

from __future__ import annotations


def visible(text: str) -> str:
    """A text with escapes for what can't be printed: controls, marks of direction (U+202E), lone surrogates."""
    return text if text.isprintable() else "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
