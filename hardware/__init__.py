"""Board plans, pins and dimensions as TOML data (part of the wheel), fabrication files and circuit boards."""
