"""Who may send which request: hosts, identity, roles and seats."""
