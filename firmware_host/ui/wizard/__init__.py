"""The set-up wizard: its steps and answers, and its page on the display."""
