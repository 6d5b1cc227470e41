"""The built-in HTTP client: whole documents, within limits, politely, and from public addresses only if so asked."""
