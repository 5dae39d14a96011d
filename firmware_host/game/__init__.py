"""One game, event-sourced: commands and observations in, events out, folded into a frozen state. Pure: no clock, no
randomness, no files, no threads.
"""
