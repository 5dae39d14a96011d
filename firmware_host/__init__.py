"""The referee and the program that runs it on a board. See README.md in this folder."""
