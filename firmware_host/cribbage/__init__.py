"""The paper rules of cribbage. Pure: no clock, no dice, no files."""
