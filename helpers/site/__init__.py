"""The reading edition: pages that anyone can open, offline, with nothing installed."""
