#!/usr/bin/env python3
"""Piper without its voices: a line in, a WAV file and a line with its path out. The sound is its options."""

import sys
import wave
from pathlib import Path

options = sys.argv[1:]
folder = Path(options[options.index("--output-dir") + 1])
if "broken" in options[options.index("--model") + 1]:
    print("ValueError: no voice", file=sys.stderr)
    sys.exit(1)
print("INFO:piper:a line that is no path", file=sys.stderr)
for number, line in enumerate(sys.stdin):
    with wave.open(str(folder / f"{number}.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(22050)
        file.writeframes(f"{' '.join(options[:-2])} {line.strip()}".encode("utf-16-le"))
    print(f"INFO:piper:Wrote {folder / f'{number}.wav'}", file=sys.stderr, flush=True)
