"""The HTML pages and the charts on them."""
