"""The phone: a panel for people at the table."""

from web_panel.panel import create_panel

__all__ = ["create_panel"]
