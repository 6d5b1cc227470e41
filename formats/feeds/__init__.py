"""What RSS and Atom have in common: candidates for the page and its date, Media RSS, foreign dialects."""
