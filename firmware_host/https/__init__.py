"""HTTPS for the pages: a certificate authority of this board's own, its certificate, and their renewal."""
