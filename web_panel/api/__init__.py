"""The JSON API, version 1, and its event stream."""
