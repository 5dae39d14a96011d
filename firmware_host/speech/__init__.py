"""The board's voice: decides what to say, renders it with espeak-ng or Piper, and plays it with ALSA."""
