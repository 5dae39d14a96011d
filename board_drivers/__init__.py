"""Hardware ports (protocols) and the real and simulated drivers behind them. Imports no other package of cribboard."""
