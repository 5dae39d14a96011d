"""One game in progress: orders and observations in, events out. Pure and event-sourced."""
