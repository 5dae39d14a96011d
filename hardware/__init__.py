"""Board plans, pins and dimensions as TOML data, and the repository's tools for circuit boards."""
