"""QR codes in SVG."""

from __future__ import annotations

from markupsafe import Markup

QUIET_ZONE = 4
"""Empty modules on each side of a QR code, as ISO/IEC 18004 requires."""


def qr_code(text: str) -> Markup:
    """The text as a QR code in SVG, black on white in any colour scheme."""
    import segno

    qr = segno.make_qr(text)
    return Markup(qr.svg_inline(border=QUIET_ZONE, omitsize=True, dark="#000", light="#fff", svgclass="qr-code"))
