"""`cribboard doctor`: checks the computer, buses, devices and stored files, and says how to fix what is wrong."""
