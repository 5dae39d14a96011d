"""The phone: a panel for people at the table."""
