"""The journal and every other file that must survive a power cut."""
