"""The program of a club: its file, accounts and backups, the collector of results, the broker, and a demonstration."""
