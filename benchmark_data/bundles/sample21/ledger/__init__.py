"""The books of a small company: a tree of accounts, journal entries with postings, parties, taxes, bank statements."""
