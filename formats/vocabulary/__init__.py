"""What all formats share: entry, dates, URLs, findings, ledger, source, the format descriptor, the registry."""
