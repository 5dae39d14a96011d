"""Keypad, display, lights, sounds and sentences of the board. Pure: state in, what to show out."""
