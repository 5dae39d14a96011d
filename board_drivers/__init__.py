"""The wires: ports, and the drivers behind them. Imports nothing of ours."""
