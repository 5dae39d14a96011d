"""The web panel: a page for phones, its JSON API and its event stream."""
