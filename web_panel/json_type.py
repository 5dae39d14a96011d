"""The type of the JSON objects that the panel answers with."""

from __future__ import annotations

Json = dict[str, object]
"""An object: its values are whatever `json.dumps` takes."""
