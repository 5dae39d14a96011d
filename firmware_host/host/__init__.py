"""The host thread: it scans the board, decides, journals and shows."""
