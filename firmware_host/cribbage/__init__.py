"""The rules of cribbage, without a board. Pure: no clock, no randomness, no files, no threads."""
