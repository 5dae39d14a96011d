"""Voices of Piper that somebody put into the folder `voices` of the state folder."""

from __future__ import annotations

from pathlib import Path


def piper_model(folder: Path, language: str) -> str:
    """The path of the first voice of a language, such as `fr_FR-siwis-medium.onnx`; empty without one. A voice is two
    files: its description has the same name and `.json`."""
    voices = sorted(folder.glob(f"{language}_*.onnx"))
    return next((str(voice) for voice in voices if Path(f"{voice}.json").is_file()), "")
