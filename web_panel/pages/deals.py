"""The page that proves the packs which the board dealt in a game, and the proofs as files for `sha256sum`."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response

from firmware_host.host.loop import Host
from firmware_host.stats.archive import Archive
from firmware_host.stats.deal_proofs import DealProof, proofs_of
from web_panel.api.games import CURRENT, find_game
from web_panel.errors import Problem
from web_panel.rendering import render


def make_deals(host: Host, archive: Archive) -> Blueprint:
    """The page /deals/GAME, a number or `current`, and a file for each deal that is over."""
    pages = Blueprint("deals", __name__)

    def proofs(game: str) -> tuple[DealProof, ...]:
        found = find_game(host, archive, game)
        return proofs_of(found.turns, is_past=not found.is_latest)

    @pages.get("/deals/<game>")
    def deals(game: str) -> str:
        found = find_game(host, archive, game)
        deal = found.table.deal
        now = deal.pack.commitment if game == CURRENT and deal is not None and deal.pack else ""
        shown = proofs(game)
        if any(each.commitment == now for each in shown):
            now = ""  # the game is over, and its last pack is proved
        return render("deals.html", game=game, names=found.table.names, proofs=shown, now=now)

    @pages.get("/deals/<game>/<int:deal>.txt")
    def proof(game: str, deal: int) -> Response:
        for each in proofs(game):
            if each.deal == deal:
                return Response(each.pack.proof, mimetype="text/plain", headers={"Cache-Control": "no-store"})
        raise Problem(HTTPStatus.NOT_FOUND, "expected a deal of the board that is over, got another")

    return pages
