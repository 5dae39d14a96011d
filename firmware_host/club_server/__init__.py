"""The file, the accounts and the backups of a club."""
